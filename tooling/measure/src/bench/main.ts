import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { output } from "./command.ts";
import { FIXTURES, removeFixtures } from "./fixtures.ts";
import { describeMachine } from "../report/machine.ts";
import type { Measurement } from "./measure.ts";
import { parseOptions, USAGE, type Options } from "./options.ts";
import { barChart } from "./bar-chart.ts";
import { fillSections } from "../report/document.ts";
import { sections } from "./markdown.ts";
import { scalingPlot } from "./scaling-plot.ts";
import { memoryCases } from "./memory-cases.ts";
import { mergeResults, type CurveResult, type MemoryResult, type Results, type RowResult } from "./results.ts";
import type { Row } from "./row.ts";
import { rows } from "./rows/index.ts";
import { curves, pointId, scalingRows } from "./rows/scaling.ts";
import { verdicts } from "./verdict.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

async function main(): Promise<void> {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (options.clean) {
    removeFixtures();
    console.log(`Removed ${FIXTURES}.`);
    return;
  }
  const results = await measureAll(options);
  if (results.rows.length + results.memory.length + results.scaling.length === 0) {
    console.error(`No row's id contains ${options.only.join(" or ")}.`);
    process.exitCode = 2;
    return;
  }
  // A run of everything takes the place of everything.
  const isPart = options.docs && options.only.length > 0;
  report(isPart ? mergeResults(documentedResults(), results, rows) : results, options);
}

/** What the documents say so far: rows that a run for some does not measure keep their figures. */
function documentedResults(): Results | undefined {
  const path = here("../../../../docs/benchmarks/results.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Results) : undefined;
}

async function measureAll(options: Options): Promise<Results> {
  const wanted = ({ id, mode }: { id: string; mode: Row["mode"] }) =>
    (mode === "quick" || !options.quick) &&
    (options.only.length === 0 || options.only.some((part) => id.includes(part)));
  const tableRows = rows.filter(wanted);
  const points = scalingRows.filter(wanted);
  const memoryWork = memoryCases.filter(wanted);
  const measured = tableRows.map((row) => ({ row, runs: [] as RowResult["runs"][number][] }));
  for (let run = 1; run <= options.runs; run++) {
    for (const { row, runs } of measured) {
      progress(`run ${run} of ${options.runs}: ${row.work}`);
      const measurements = await orElse([], measureInChild(row.id, options));
      if (measurements.length > 0) runs.push({ measurements, verdicts: verdicts(measurements, row.targets) });
    }
  }
  // These hardly differ from run to run.
  const memory: MemoryResult[] = [];
  for (const { work, limitBytes, script, args } of memoryWork) {
    progress(`memory: ${work}`);
    const growthBytes = await orElse(NaN, child(script, args()).then(Number));
    if (!Number.isNaN(growthBytes)) memory.push({ work, limitBytes, growthBytes: [growthBytes] });
  }
  return {
    machine: describeMachine(options.quick ? "quick" : "full"),
    rows: measured.flatMap(({ row, runs }) => (runs.length === 0 ? [] : [{ id: row.id, work: row.work, runs }])),
    memory,
    scaling: await measureScaling(points, options),
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

async function measureScaling(points: readonly Row[], options: Options): Promise<CurveResult[]> {
  const medians = new Map<string, number>();
  for (const { id, work } of points) {
    progress(`scaling: ${work}`);
    const [ours] = await orElse([], measureInChild(id, options));
    if (ours !== undefined) medians.set(id, ours.times.median);
  }
  return curves.flatMap((curve) => {
    const found = curve.sizes.flatMap((size) => {
      const medianMs = medians.get(pointId(curve, size));
      return medianMs === undefined ? [] : [{ size, medianMs }];
    });
    return found.length < 2 ? [] : [{ work: curve.work, unit: curve.unit, points: found }];
  });
}

async function measureInChild(id: string, options: Options): Promise<Measurement[]> {
  return JSON.parse(await child("run-row.js", [id, options.quick ? "quick" : "full"])) as Measurement[];
}

async function child(script: string, args: readonly string[]): Promise<string> {
  const printed = await output(process.execPath, [here(script), ...args], process.cwd());
  return printed.toString();
}

/** Prints the tables, keeps them with the JSON and the charts, and fills the document if asked to. */
function report(results: Results, options: Options): void {
  const parts = sections(results);
  const texts = Object.values(parts).filter((text) => text !== "");
  console.log(`\n${texts.join("\n\n")}\n`);
  const folder = options.docs ? here("../../../../docs/benchmarks/") : here("../../.cache/bench/");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}results.json`, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(`${folder}times.svg`, barChart(results.rows));
  writeFileSync(`${folder}scaling.svg`, scalingPlot(results.scaling));
  if (options.docs) fillDocuments(parts);
  else writeFileSync(`${folder}results.md`, `${texts.join("\n\n")}\n`);
  console.log(`Written to ${folder}`);
}

const DOCUMENTS = ["../../../../README.md", "../../../../docs/benchmarks.md", "../../../../docs/scaling.md"];

function fillDocuments(parts: Readonly<Record<string, string>>): void {
  for (const path of DOCUMENTS.map(here)) writeFileSync(path, fillSections(readFileSync(path, "utf8"), parts));
}

function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}

await main();
