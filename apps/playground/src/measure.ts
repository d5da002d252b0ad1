import { renderForModel } from "@fstools/protocol";
import type { Sandbox } from "@fstools/sandbox";
import { z } from "zod";
import type { Costs } from "./costs.ts";
import { estimateTokens } from "./tokens.ts";
import type { Envelope } from "./envelope.ts";

const listing = z.object({ entries: z.array(z.object({ path: z.string(), type: z.string() })) });
const matches = z.object({ matches: z.array(z.object({ file: z.string() })) });
const paths = z.object({ paths: z.array(z.string()) });
const page = z.object({ content: z.string() });
const change = z.object({ diff_preview: z.string() });

/** Of matches in more files than this, the rest is taken to be like these. */
const MAX_MEASURED_FILES = 40;
/** How code and prose come out on average; used where the text itself is not available. */
const BYTES_PER_TOKEN = 4;
const SAMPLE_BYTES = 1000;

/** Counts answers of one conversation; a file that another way has in its context costs it nothing the second time. */
export function createMeasure(sandbox: Sandbox): (response: Envelope) => Promise<Costs> {
  const counted = new Set<string>();
  return (response) => costsOf(response, sandbox, counted);
}

async function costsOf(response: Envelope, sandbox: Sandbox, counted: Set<string>): Promise<Costs> {
  const entered = await estimateTokens(renderForModel(response));
  const { data } = response;
  const same = { entered, wholeFiles: entered, mcpFilesystem: entered };
  // Other tools take as many words to say that something failed.
  if (response.status === "error") return same;

  const listed = listing.safeParse(data);
  if (listed.success) return { ...same, mcpFilesystem: await listDirectory(listed.data.entries, response) };

  const found = paths.safeParse(data);
  if (found.success) return { ...same, mcpFilesystem: await searchFiles(found.data.paths, sandbox) };

  const matched = matches.safeParse(data);
  if (matched.success) {
    if (matched.data.matches.length === 0) return same;
    // Neither way can search inside files: to get the lines, one reads the files that have them.
    const fresh = new Set(matched.data.matches.map(({ file }) => file).filter((file) => !counted.has(file)));
    for (const file of fresh) counted.add(file);
    const whole = await sizeOfAll(fresh, sandbox);
    return { entered, wholeFiles: whole, mcpFilesystem: whole };
  }

  const read = page.safeParse(data);
  if (read.success) {
    const path = response.context.path_resolved ?? "";
    if (counted.has(path)) return { entered, wholeFiles: 0, mcpFilesystem: 0 };
    counted.add(path);
    return { entered, ...(await wholeRead(response)) };
  }

  const changed = change.safeParse(data);
  if (changed.success) {
    // Without Edit, the whole file is written again.
    const file = Number(response.stats.file_size_bytes ?? 0) / BYTES_PER_TOKEN;
    const diff = await estimateTokens(changed.data.diff_preview);
    return { entered, wholeFiles: Math.max(entered, Math.round(file)), mcpFilesystem: diff };
  }
  return same;
}

/** `list_directory` lists everything, a line such as "[FILE] name" each. */
async function listDirectory(
  entries: readonly { readonly path: string; readonly type: string }[],
  { stats }: Envelope,
): Promise<number> {
  if (entries.length === 0) return 0;
  const lines = entries.map(({ path, type }) => `[${type === "dir" ? "DIR" : "FILE"}] ${nameOf(path)}`);
  const total = Number(stats.total_entries ?? stats.total ?? entries.length);
  return Math.round((await estimateTokens(lines.join("\n"))) * Math.max(1, total / entries.length));
}

/** `search_files` prints absolute paths. */
async function searchFiles(found: readonly string[], { root }: Sandbox): Promise<number> {
  return estimateTokens(found.map((path) => `${root.absolute}/${path}`).join("\n"));
}

/** `read_text_file` and `cat` give the whole file; its option `head` gives all lines up to the last one wanted. */
async function wholeRead({ data, stats }: Envelope): Promise<Pick<Costs, "wholeFiles" | "mcpFilesystem">> {
  const content = page.parse(data).content;
  const plain = content.replaceAll(/^ *\d+ \| /gmu, "");
  const shown = await estimateTokens(plain);
  const bytes = new TextEncoder().encode(plain).length;
  // A few lines say too little about a whole file.
  const perByte = bytes < SAMPLE_BYTES ? 1 / BYTES_PER_TOKEN : shown / bytes;
  const whole = Math.max(shown, Math.round(Number(stats.file_size_bytes ?? 0) * perByte));
  const last = Number(/^ *(\d+) \| /u.exec(content.split("\n").at(-2) ?? "")?.[1] ?? 0);
  const total = Number(stats.total_lines);
  const head = last > 0 && total > 0 ? Math.round(whole * Math.min(1, last / total)) : whole;
  return { wholeFiles: whole, mcpFilesystem: Math.max(shown, head) };
}

async function sizeOfAll(files: ReadonlySet<string>, sandbox: Sandbox): Promise<number> {
  const measured = [...files].slice(0, MAX_MEASURED_FILES);
  let bytes = 0;
  for (const file of measured) bytes += await sizeOf(file, sandbox);
  const share = measured.length === 0 ? 0 : files.size / measured.length;
  return Math.round((bytes / BYTES_PER_TOKEN) * share);
}

async function sizeOf(file: string, sandbox: Sandbox): Promise<number> {
  try {
    const opened = sandbox.open(await sandbox.resolve(file));
    try {
      return opened.size;
    } finally {
      opened.close();
    }
  } catch {
    // Gone since it was found, so it costs nothing.
    return 0;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
