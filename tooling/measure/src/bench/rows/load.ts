import { createEditTool } from "@fstools/edit";
import { createGlobTool } from "@fstools/glob";
import { createGrepTool } from "@fstools/grep";
import { createLsTool } from "@fstools/ls";
import { createReadTool } from "@fstools/read";
import { mixedTree } from "../fixtures.ts";
import { longestTickMs, row, SHORT_TICKS, type Contender, type Row } from "../row.ts";
import { quantile } from "../../report/spread.ts";

const CALLS_AT_ONCE = 500;
const TARGETS = [{ medianAtMostMs: 1000 }, SHORT_TICKS];

function mixedCalls(root: string): (() => Promise<unknown>)[] {
  const options = { projectRoot: root };
  const [ls, glob, grep] = [createLsTool(options), createGlobTool(options), createGrepTool(options)];
  const [read, edit] = [createReadTool(options), createEditTool(options)];
  return [
    () => read.run({ path: "large.txt" }),
    () => read.run({ path: "large.txt", start_line: 100_000 }),
    () => read.run({ path: "d-3/f-3.txt" }),
    () => ls.run({ path: "many", offset: 1000 }),
    () => ls.run({}),
    () => glob.run({ pattern: "**/*.txt" }),
    () => glob.run({ pattern: "**/nothing-like-this" }),
    () => grep.run({ pattern: "text", path: "d-3" }),
    () => edit.run({ path: "d-5/f-1.txt", old_string: "text", new_string: "word", replace_all: true, dry_run: true }),
    () => edit.run({ path: "large.txt", old_string: "no such line", new_string: "x" }),
  ];
}

/** The time within which 99 of 100 calls are answered that all begin at once. */
function mixedLoad(): Contender {
  const calls = mixedCalls(mixedTree());
  const sample = async () => {
    const start = performance.now();
    const latencies = await Promise.all(
      Array.from({ length: CALLS_AT_ONCE }, async (_, index) => {
        await calls[index % calls.length]?.();
        return performance.now() - start;
      }),
    );
    return quantile(latencies, 0.99);
  };
  return { name: "p99 of all", sample, tick: () => longestTickMs(sample), answer: undefined };
}

export const loadRows: readonly Row[] = [
  row("load-500", `${CALLS_AT_ONCE} mixed calls at once, small and large`, TARGETS, () => [mixedLoad()]),
];
