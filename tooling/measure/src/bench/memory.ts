/** A process of its own: reads the first, middle and last page of one large file and prints how memory grew. */
import { createReadTool } from "@fstools/read";
import { basename, dirname } from "node:path";
import { unwrap } from "./unwrap.ts";

const [path = "", columns] = process.argv.slice(2);
const tool = createReadTool({ projectRoot: dirname(path) });
const before = process.memoryUsage.rss();

async function read(start: object): Promise<number> {
  const response = await tool.run({ path: basename(path), ...start });
  unwrap(response);
  return Number(response.stats.total_lines);
}

const lines = await read({});
const start = (part: number) =>
  columns === undefined
    ? { start_line: Math.floor(lines * part) }
    : { start_column: Math.floor(Number(columns) * part) };
await read(start(0.5));
await read(start(1));

// `maxRSS` (in KiB) is the highest that the process ever was, so nothing between two samples is missed.
console.log(process.resourceUsage().maxRSS * 1024 - before);
