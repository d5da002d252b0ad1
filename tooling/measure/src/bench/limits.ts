import { milliseconds, table } from "../report/table.ts";
import type { RowResult } from "./results.ts";

/** Where the tools' own limits apply, by what was measured: each pass costs the same for each entry or byte. */
export function limitTable(rows: readonly RowResult[]): string {
  const perUnitMs = (id: string, units: number) => {
    const median = rows.find((row) => row.id === id)?.runs.at(-1)?.measurements[0]?.times.median;
    return median === undefined ? undefined : median / units;
  };
  const glob = perUnitMs("glob-flat", 100_000);
  const ls = perUnitMs("ls-first-page-1000000", 1_000_000);
  const read = perUnitMs("read-first-page-2-GB", 2);
  if (ls === undefined || glob === undefined || read === undefined) return "";
  const millions = (entries: number) => `${(entries / 1_000_000).toFixed(1)} million`;
  return table(
    ["tool", "limit", "where it applies"],
    [
      ["Glob", "20,000 entries visited", `in every larger tree, after about ${milliseconds(glob * 20_000)}`],
      ["Glob", "2 s", `at about ${millions(2000 / glob)} entries, if the host lifts the limit above`],
      ["LS", "5 s", `at about ${millions(5000 / ls)} entries of one directory`],
      ["Read", "10 s", `at about ${(10_000 / read).toFixed(0)} GB that are in memory`],
      ["Edit", "16 MiB", "at that size: a larger file is refused"],
    ],
  );
}
