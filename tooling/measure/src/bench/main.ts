import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fillDocument } from "../report/document.ts";
import { describeMachine } from "../report/machine.ts";
import { output } from "./rivals.ts";
import { FIXTURES, removeFixtures } from "./fixtures.ts";
import { measureRow } from "./measure.ts";
import { memoryCases } from "./memory-cases.ts";
import { mergeResults, sections, type MemoryResult, type Results, type RowResult } from "./report.ts";
import type { Row } from "./row.ts";
import { rows } from "./rows/index.ts";
import { verdicts } from "./verdict.ts";

const USAGE = `pnpm bench [--quick] [--runs N] [--only ID]… [--docs] [--clean]

  --quick   small fixtures and few samples, under two minutes
  --runs N  measure everything N times in a row; a target holds if it holds in each run
  --only ID only rows whose id contains ID; may be given more than once
  --docs    also write the tables into docs/
  --clean   remove the generated trees and files from the temporary directory`;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const DOCS = here("../../../../docs/");
const progress = (message: string) => process.stderr.write(`${message}\n`);
const flag = { type: "boolean", default: false } as const;

async function main(): Promise<void> {
  const { quick, docs, only, runs, clean } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    options: {
      quick: flag,
      clean: flag,
      docs: flag,
      runs: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: [] },
    },
  }).values;
  const count = Number(runs);
  if (!Number.isInteger(count) || count < 1) throw new Error("--runs must be a positive integer.");
  if (clean) {
    removeFixtures();
    console.log(`Removed ${FIXTURES}.`);
    return;
  }
  const results = await measureAll(quick, only, count);
  if (results.rows.length + results.memory.length === 0) throw new Error("There is no row of that name.");
  // A run of everything takes the place of everything; rows that a run for some does not measure keep their figures.
  const documented = () => JSON.parse(readFileSync(`${DOCS}benchmarks/results.json`, "utf8")) as Results;
  report(docs && only.length > 0 ? mergeResults(documented(), results, rows) : results, docs);
}

async function measureAll(quick: boolean, only: readonly string[], count: number): Promise<Results> {
  const wanted = ({ id, mode }: { id: string; mode: Row["mode"] }) =>
    (mode === "quick" || !quick) && (only.length === 0 || only.some((part) => id.includes(part)));
  const measured = rows.filter(wanted).map((row) => ({ row, runs: [] as RowResult["runs"][number][] }));
  for (let run = 1; run <= count; run++) {
    for (const { row, runs } of measured) {
      progress(`run ${run} of ${count}: ${row.work}`);
      const measurements = await orElse([], measureRow(row, quick));
      if (measurements.length > 0) runs.push({ measurements, verdicts: verdicts(measurements, row.targets) });
    }
  }
  // These hardly differ from run to run.
  const memory: MemoryResult[] = [];
  for (const { work, limitBytes, args } of memoryCases.filter(wanted)) {
    progress(`memory: ${work}`);
    const measuring = output(process.execPath, [here("memory.js"), ...args()], process.cwd());
    const printed = (await orElse(Buffer.from(""), measuring)).toString();
    if (printed !== "") memory.push({ work, limitBytes, growthBytes: [Number(printed)] });
  }
  return {
    machine: describeMachine(quick ? "quick" : "full"),
    rows: measured.flatMap(({ row, runs }) => (runs.length === 0 ? [] : [{ id: row.id, work: row.work, runs }])),
    memory,
  };
}

/** What could not be measured is left out, and told; the rest goes on. */
async function orElse<Value>(value: Value, measuring: Promise<Value>): Promise<Value> {
  try {
    return await measuring;
  } catch (error) {
    progress(`  left out: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    return value;
  }
}

function report(results: Results, isForDocs: boolean): void {
  const parts = sections(results);
  const texts = Object.values(parts).filter((text) => text !== "");
  console.log(`\n${texts.join("\n\n")}\n`);
  const folder = isForDocs ? `${DOCS}benchmarks/` : here("../../.cache/bench/");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}results.json`, `${JSON.stringify(results, null, 2)}\n`);
  if (isForDocs) for (const name of ["../README", "benchmarks", "scaling"]) fillDocument(`${DOCS}${name}.md`, parts);
  else writeFileSync(`${folder}results.md`, `${texts.join("\n\n")}\n`);
  console.log(`Written to ${folder}`);
}

try {
  await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
