import { milliseconds } from "../report/format.ts";
import { table } from "../report/table.ts";
import type { CurveResult, Results } from "../results.ts";
import { costMs, fitCost, sizeWithin, type CostModel } from "./cost-model.ts";
import { simulateFleet, type CallKind } from "./fleet.ts";

type SectionName = "entries" | "bytes" | "limits" | "mix" | "fleet";

/** The tools' own limits, as their READMEs name them. */
const GLOB_ENTRIES = 20_000;
const GLOB_MS = 2000;
const LS_MS = 5000;
const READ_MS = 10_000;
const EDIT_BYTES = 16 * 1024 ** 2;

const GREP_FILES = 20_000;

/** The tables of docs/scaling.md, worked out from what was measured. */
export function scaleSections(results: Results): Record<SectionName, string> {
  const curve = (start: string) => results.scaling.find(({ work }) => work.startsWith(start));
  const [ls, glob, read] = [curve("LS"), curve("Glob"), curve("Read")];
  return {
    entries: entryTable(results, ls, glob),
    bytes: byteTable(results, read),
    limits: limitTable(ls, glob, read),
    mix: mixTable(callMix(results)),
    fleet: fleetTable(callMix(results)),
  };
}

function entryTable(results: Results, ls: CurveResult | undefined, glob: CurveResult | undefined): string {
  const grepMs = medianOf(results, "grep-none");
  const sizes = [10_000, 100_000, 1_000_000, 10_000_000];
  return table(
    ["files", "LS, first page of one directory", "Glob, all of it", "Glob, as it is set", "Grep, all of it"],
    sizes.map((size) => [
      size.toLocaleString("en"),
      cost(ls, size, LS_MS),
      cost(glob, size),
      cost(glob, Math.min(size, GLOB_ENTRIES)),
      grepMs === undefined ? "" : shown((grepMs / GREP_FILES) * size, false),
    ]),
  );
}

const BYTES: readonly (readonly [name: string, bytes: number])[] = [
  ["1 KB", 1024],
  ["1 MB", 1024 ** 2],
  ["100 MB", 100 * 1024 ** 2],
  ["2 GB", 2 * 1024 ** 3],
  ["10 GB", 10 * 1024 ** 3],
  ["100 GB", 100 * 1024 ** 3],
  ["1 TB", 1024 ** 4],
];

function byteTable(results: Results, read: CurveResult | undefined): string {
  const model = read && fitCost(read);
  if (model === undefined) return "";
  const laterMs = medianOf(results, "read-middle-page-2-GB");
  const countedBytes = sizeWithin(model, READ_MS);
  return table(
    ["file", "Read, first page", "what it knows then", "each later page"],
    BYTES.map(([name, bytes]) => [
      name,
      cost(read, bytes, READ_MS),
      bytes <= countedBytes ? "all lines are counted" : `the first ${gigabytes(countedBytes)} are counted`,
      laterMs === undefined
        ? ""
        : shown(laterMs, bytes === 2 * 1024 ** 3) + (bytes <= countedBytes ? "" : ", as far as that"),
    ]),
  );
}

function limitTable(ls: CurveResult | undefined, glob: CurveResult | undefined, read: CurveResult | undefined): string {
  const bites = (curve: CurveResult | undefined, deadlineMs: number, words: (size: number) => string) => {
    const model = curve && fitCost(curve);
    return model === undefined ? [] : [words(sizeWithin(model, deadlineMs))];
  };
  const entries = (size: number) => `at about ${millions(size)} entries`;
  const rows = [
    ["Glob", `${GLOB_ENTRIES.toLocaleString("en")} entries visited`, globBreaker(glob)],
    [
      "Glob",
      seconds(GLOB_MS),
      ...bites(glob, GLOB_MS, (size) => `${entries(size)}, if the host lifts the limit above`),
    ],
    ["LS", seconds(LS_MS), ...bites(ls, LS_MS, (size) => `${entries(size)} of one directory`)],
    ["Read", seconds(READ_MS), ...bites(read, READ_MS, (size) => `at about ${gigabytes(size)} that are in memory`)],
    ["Edit", `${EDIT_BYTES / 1024 ** 2} MiB`, "at that size: a larger file is refused"],
  ];
  return table(
    ["tool", "limit", "where it bites"],
    rows.filter((row) => row.length === 3),
  );
}

function globBreaker(glob: CurveResult | undefined): string {
  const model = glob && fitCost(glob);
  const after = model === undefined ? "" : `, after about ${milliseconds(costMs(model, GLOB_ENTRIES))}`;
  return `in every larger tree that the pattern reaches into${after}`;
}

/** What an agent asks for. An assumption: mostly small reads, some searches, edits and lists, few large calls. */
const MIX: readonly (readonly [id: string, weight: number])[] = [
  ["read-first-page-10-KB", 38],
  ["grep-rare-literal", 12],
  ["grep-common", 8],
  ["glob-first-page", 8],
  ["glob-late-match", 6],
  ["ls-first-page-1000", 12],
  ["edit-10k", 14],
  ["read-first-page-100-MB", 2],
];

interface NamedKind extends CallKind {
  readonly work: string;
}

/** The kinds of call that were measured. */
function callMix(results: Results): NamedKind[] {
  return MIX.flatMap(([id, weight]) => {
    const row = results.rows.find((candidate) => candidate.id === id);
    const serviceMs = medianOf(results, id);
    return row === undefined || serviceMs === undefined ? [] : [{ work: row.work, serviceMs, weight }];
  });
}

function mixTable(kinds: readonly NamedKind[]): string {
  const all = kinds.reduce((sum, { weight }) => sum + weight, 0);
  return table(
    ["call", "share", "keeps a server busy for"],
    kinds.map(({ work, weight, serviceMs }) => [
      work,
      `${((weight / all) * 100).toFixed(0)} %`,
      milliseconds(serviceMs),
    ]),
  );
}

const MACHINES = 50;
const AGENTS = [1000, 2500, 5000, 10_000, 20_000];
const THINK_MS = 10_000;
const ROUND_TRIP_MS = 1;
const DURATION_MS = 300_000;

function fleetTable(kinds: readonly CallKind[]): string {
  if (kinds.length === 0) return "";
  const assumed = { machines: MACHINES, thinkMs: THINK_MS, roundTripMs: ROUND_TRIP_MS, durationMs: DURATION_MS };
  return table(
    ["agents", "on each machine", "calls a second, all machines", "a server is busy", "median", "p99"],
    AGENTS.map((agents) => {
      const { callsPerSecond, busy, medianMs, p99Ms } = simulateFleet({ ...assumed, kinds, agents, seed: 1 });
      return [
        agents.toLocaleString("en"),
        String(agents / MACHINES),
        callsPerSecond.toFixed(0),
        `${(busy * 100).toFixed(0)} %`,
        milliseconds(medianMs),
        milliseconds(p99Ms),
      ];
    }),
  );
}

function medianOf({ rows }: Results, id: string): number | undefined {
  return rows.find((row) => row.id === id)?.runs.at(-1)?.measurements[0]?.times.median;
}

/** A measured point as it is, another by the model and with a mark; a deadline ends what would take longer. */
function cost(curve: CurveResult | undefined, size: number, deadlineMs = Infinity): string {
  const measured = curve?.points.find((point) => point.size === size);
  if (measured !== undefined) return shown(measured.medianMs, true);
  const model: CostModel | undefined = curve && fitCost(curve);
  if (model === undefined) return "";
  const ms = costMs(model, size);
  return ms > deadlineMs ? `${seconds(deadlineMs)}, then it stops` : shown(ms, false);
}

function shown(ms: number, isMeasured: boolean): string {
  return isMeasured ? milliseconds(ms) : `≈ ${ms >= 120_000 ? `${(ms / 60_000).toFixed(0)} min` : milliseconds(ms)}`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(0)} GB`;
}

function millions(count: number): string {
  return `${(count / 1_000_000).toFixed(1)} million`;
}
