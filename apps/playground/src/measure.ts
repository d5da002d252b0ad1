import { renderForModel } from "@fstools/protocol";
import type { Sandbox } from "@fstools/sandbox";
import { z } from "zod";
import type { Costs } from "./agent/messages.ts";
import type { Envelope } from "./envelope.ts";
import { estimateTokens } from "./tokens.ts";

const shown = z.object({
  entries: z.array(z.object({ path: z.string(), type: z.string() })).optional(),
  paths: z.array(z.string()).optional(),
  matches: z.array(z.object({ file: z.string() })).optional(),
  content: z.string().optional(),
  diff_preview: z.string().optional(),
});

/** Of matches in more files than this, the rest is taken to be like these. */
const MAX_MEASURED_FILES = 40;
/** How code and prose come out on average; used where the text itself is not available. */
const BYTES_PER_TOKEN = 4;
const SAMPLE_BYTES = 1000;

/** Counts answers of one conversation; a file that another way has in its context costs it nothing the second time. */
export function createMeasure(sandbox: Sandbox): (response: Envelope) => Promise<Costs> {
  const counted = new Set<string>();
  return async (response) => {
    const entered = await estimateTokens(renderForModel(response));
    // Other tools take as many words to say that something failed.
    const others = response.status === "error" ? {} : await othersFor(response, entered, sandbox, counted);
    return { entered, wholeFiles: entered, mcpFilesystem: entered, ...others };
  };
}

async function othersFor(
  response: Envelope,
  entered: number,
  sandbox: Sandbox,
  counted: Set<string>,
): Promise<Partial<Costs>> {
  const { stats, context } = response;
  const { entries, paths, matches, content, diff_preview: diff } = shown.parse(response.data);
  const bytes = Number(stats.file_size_bytes ?? 0);
  if (entries) {
    // `list_directory` lists everything, a line such as "[FILE] name" each.
    const lines = entries.map(
      ({ path, type }) => `[${type === "dir" ? "DIR" : "FILE"}] ${path.split("/").at(-1) ?? ""}`,
    );
    const total = Number(stats.total_entries ?? stats.total ?? entries.length) / Math.max(1, entries.length);
    return { mcpFilesystem: Math.round((await estimateTokens(lines.join("\n"))) * Math.max(1, total)) };
  }
  // `search_files` prints absolute paths.
  if (paths)
    return { mcpFilesystem: await estimateTokens(paths.map((path) => sandbox.root.absolute + path).join("\n")) };
  if (matches) {
    if (matches.length === 0) return {};
    // Neither way can search inside files: to get the lines, one reads the files that have them.
    const fresh = [...new Set(matches.map(({ file }) => file))].filter((file) => !counted.has(file));
    for (const file of fresh) counted.add(file);
    const sizes = await Promise.all(fresh.slice(0, MAX_MEASURED_FILES).map((file) => sizeOf(file, sandbox)));
    const known = sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_TOKEN;
    const whole = Math.round(known * Math.max(1, fresh.length / MAX_MEASURED_FILES));
    return { wholeFiles: whole, mcpFilesystem: whole };
  }
  if (content !== undefined) {
    const path = context.path_resolved ?? "";
    const isNew = !counted.has(path);
    counted.add(path);
    return isNew ? wholeRead(content, bytes, Number(stats.total_lines)) : { wholeFiles: 0, mcpFilesystem: 0 };
  }
  // Without Edit, the whole file is written again.
  if (diff === undefined) return {};
  const file = Math.round(bytes / BYTES_PER_TOKEN);
  return { wholeFiles: Math.max(entered, file), mcpFilesystem: await estimateTokens(diff) };
}

/** `read_text_file` and `cat` give the whole file; its option `head` gives all lines up to the last one wanted. */
async function wholeRead(content: string, fileBytes: number, total: number): Promise<Partial<Costs>> {
  const plain = content.replaceAll(/^ *\d+ \| /gmu, "");
  const page = await estimateTokens(plain);
  const bytes = new TextEncoder().encode(plain).length;
  // A few lines say too little about a whole file.
  const perByte = bytes < SAMPLE_BYTES ? 1 / BYTES_PER_TOKEN : page / bytes;
  const whole = Math.max(page, Math.round(fileBytes * perByte));
  const last = Number(/^ *(\d+) \| /u.exec(content.split("\n").at(-2) ?? "")?.[1] ?? 0);
  const head = last > 0 && total > 0 ? Math.round(whole * Math.min(1, last / total)) : whole;
  return { wholeFiles: whole, mcpFilesystem: Math.max(page, head) };
}

async function sizeOf(file: string, sandbox: Sandbox): Promise<number> {
  try {
    const opened = sandbox.open(await sandbox.resolve(file));
    opened.close();
    return opened.size;
  } catch {
    // Gone since it was found, so it costs nothing.
    return 0;
  }
}
