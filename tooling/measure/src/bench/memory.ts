/** A process of its own: does one kind of work on what its arguments name and prints by how many bytes memory grew. */
import { createGrepTool } from "@fstools/grep";
import { createReadTool } from "@fstools/read";
import { basename, dirname } from "node:path";
import { unwrap } from "./row.ts";

const [work = "", target = "", ...rest] = process.argv.slice(2);

/** Reads the first, middle and last page of a large file, by its lines or by the columns of its only one. */
async function readPages(path: string, columns?: string): Promise<void> {
  const tool = createReadTool({ projectRoot: dirname(path) });
  const read = async (start: object) => {
    const response = await tool.run({ path: basename(path), ...start });
    unwrap(response);
    return Number(response.stats.total_lines);
  };
  const lines = await read({});
  for (const part of [0.5, 1]) {
    const place = Math.floor(Number(columns ?? lines) * part);
    await read(columns === undefined ? { start_line: place } : { start_column: place });
  }
}

async function search(path: string, pattern = "", offset = "0"): Promise<void> {
  const tool = createGrepTool({ projectRoot: dirname(path), maxDurationMs: 600_000 });
  unwrap(await tool.run({ pattern, path: basename(path), offset: Number(offset), context: 2 }));
}

const before = process.memoryUsage.rss();
if (work === "import") {
  await import(target);
  console.log(process.memoryUsage.rss() - before);
} else {
  await (work === "read" ? readPages(target, ...rest) : search(target, ...rest));
  // `maxRSS` (in KiB) is the highest that the process ever was, so nothing between two samples is missed.
  console.log(process.resourceUsage().maxRSS * 1024 - before);
}
