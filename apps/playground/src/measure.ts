import { renderForModel } from "@fstools/protocol";
import type { Sandbox } from "@fstools/sandbox";
import type { Costs } from "./agent/messages.ts";
import { shownSchema, type Envelope } from "./envelope.ts";
import { estimateTokens } from "./tokens.ts";

/** How code and prose come out on average; whole files are not tokenized. */
const BYTES_PER_TOKEN = 4;

/** Counts answers of one conversation; a file that another way has in its context costs it nothing the second time. */
export function createMeasure(sandbox: Sandbox): (response: Envelope) => Promise<Costs> {
  const counted = new Set<string>();
  return async (response) => {
    const entered = await estimateTokens(renderForModel(response));
    // Other tools take as many words to say that something failed.
    const others = response.status === "error" ? {} : await othersFor(response, sandbox, counted);
    return { entered, wholeFiles: entered, mcpFilesystem: entered, ...others };
  };
}

async function othersFor(response: Envelope, sandbox: Sandbox, counted: Set<string>): Promise<Partial<Costs>> {
  const { stats, context } = response;
  const { entries, matches, content, diff_preview: diff } = shownSchema.parse(response.data);
  const file = Math.round(Number(stats.file_size_bytes ?? 0) / BYTES_PER_TOKEN);
  if (entries.length > 0) {
    // `list_directory` lists everything, a line such as "[FILE] name" each.
    const lines = entries.map(
      ({ path, type }) => `[${type === "dir" ? "DIR" : "FILE"}] ${path.split("/").at(-1) ?? ""}`,
    );
    const total = Number(stats.total_entries ?? stats.total ?? entries.length) / entries.length;
    return { mcpFilesystem: Math.round((await estimateTokens(lines.join("\n"))) * Math.max(1, total)) };
  }
  if (matches.length > 0) {
    // Neither way can search inside files: to get the lines, one reads the files that have them.
    const fresh = [...new Set(matches.map((match) => match.file))].filter((path) => !counted.has(path));
    for (const path of fresh) counted.add(path);
    const sizes = await Promise.all(fresh.map((path) => sizeOf(path, sandbox)));
    const whole = Math.round(sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_TOKEN);
    return { wholeFiles: whole, mcpFilesystem: whole };
  }
  if (content !== "") {
    const path = context.path_resolved ?? "";
    if (counted.has(path)) return { wholeFiles: 0, mcpFilesystem: 0 };
    counted.add(path);
    // `read_text_file` gives the whole file, or with its option `head` all lines up to the last one wanted.
    const last = Number(/^ *(\d+) \| /u.exec(content.split("\n").at(-2) ?? "")?.[1] ?? stats.total_lines);
    return { wholeFiles: file, mcpFilesystem: Math.round((file * last) / Number(stats.total_lines)) };
  }
  // Without Edit, the whole file is written again.
  return diff === "" ? {} : { wholeFiles: file, mcpFilesystem: await estimateTokens(diff) };
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
