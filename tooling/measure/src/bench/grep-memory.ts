/** A process of its own: searches one large file and prints how memory grew. */
import { createGrepTool } from "@fstools/grep";
import { basename, dirname } from "node:path";
import { unwrap } from "./unwrap.ts";

const [path = "", pattern = "", offset = "0"] = process.argv.slice(2);
const tool = createGrepTool({ projectRoot: dirname(path), maxDurationMs: 600_000 });
const before = process.memoryUsage.rss();
unwrap(await tool.run({ pattern, path: basename(path), offset: Number(offset), context: 2 }));
// `maxRSS` (in KiB) is the highest that the process ever was, so nothing between two samples is missed.
console.log(process.resourceUsage().maxRSS * 1024 - before);
