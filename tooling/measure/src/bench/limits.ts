import { milliseconds } from "../report/format.ts";
import { table } from "../report/table.ts";
import type { CurveResult } from "./results.ts";

/** The tools' own limits, as their READMEs name them. */
const GLOB_ENTRIES = 20_000;
const GLOB_MS = 2000;
const LS_MS = 5000;
const READ_MS = 10_000;

/** What a call costs by the size of its input: so much each time, and so much for each entry or byte. */
interface CostModel {
  readonly fixedMs: number;
  readonly perUnitMs: number;
}

/** Where each limit applies, by the curves that were measured. */
export function limitTable(curves: readonly CurveResult[]): string {
  const model = (start: string) => fitCost(curves.find(({ work }) => work.startsWith(start))?.points ?? []);
  const [ls, glob, read] = [model("LS"), model("Glob"), model("Read")];
  if (ls === undefined || glob === undefined || read === undefined) return "";
  const millions = (count: number) => `${(count / 1_000_000).toFixed(1)} million`;
  const entriesMs = glob.fixedMs + glob.perUnitMs * GLOB_ENTRIES;
  return table(
    ["tool", "limit", "where it applies"],
    [
      [
        "Glob",
        "20,000 entries visited",
        `in every larger tree that is searched, after about ${milliseconds(entriesMs)}`,
      ],
      ["Glob", "2 s", `at about ${millions(sizeWithin(glob, GLOB_MS))} entries, if the host lifts the limit above`],
      ["LS", "5 s", `at about ${millions(sizeWithin(ls, LS_MS))} entries of one directory`],
      ["Read", "10 s", `at about ${(sizeWithin(read, READ_MS) / 1024 ** 3).toFixed(0)} GB that are in memory`],
      ["Edit", "16 MiB", "at that size: a larger file is refused"],
    ],
  );
}

/** A line through the first and the last point of a curve: the first tells the fixed part, the last the slope. */
function fitCost(points: CurveResult["points"]): CostModel | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const perUnitMs = (last.medianMs - first.medianMs) / (last.size - first.size);
  return { fixedMs: Math.max(0, first.medianMs - perUnitMs * first.size), perUnitMs };
}

/** How much input a call gets through before its time is over. */
function sizeWithin({ fixedMs, perUnitMs }: CostModel, deadlineMs: number): number {
  return Math.max(0, (deadlineMs - fixedMs) / perUnitMs);
}
