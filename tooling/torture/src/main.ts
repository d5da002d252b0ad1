import { fillDocument } from "@fstools/measure/report/document";
import { scriptPath } from "./processes.ts";
import { SECONDS, summaryLine, wage } from "./campaign.ts";
import { runMutants } from "./mutants.ts";
import { parseOptions, USAGE, type Options } from "./options.ts";
import { attackSection, mutantSection } from "./report.ts";

const DOCUMENT = scriptPath("../../../docs/reliability.md");

async function runHunts({ seed, only, docs }: Options): Promise<boolean> {
  const startedAt = performance.now();
  const hunts = await runMutants({ seed, only });
  const run = mutantSection(hunts, { seed, elapsedMs: performance.now() - startedAt });
  if (docs) fillDocument(DOCUMENT, { run }, "mutants");
  const found = hunts.filter((hunt) => hunt.found !== undefined).length;
  console.log(`${found} of ${hunts.length} mutants found; seed ${seed}`);
  return found === hunts.length;
}

async function runTorture({ minutes, short, seed, only, docs }: Options): Promise<boolean> {
  console.log(`seed ${seed}`);
  const extent = short ? "short" : "full";
  const seconds = minutes === undefined ? SECONDS[extent] : minutes * 60;
  const startedAt = performance.now();
  const onBegin = (name: string) => void process.stderr.write(`${name}\n`);
  const findings = await wage({ seed, seconds, extent, only, onBegin });
  const elapsedMs = performance.now() - startedAt;
  for (const { attack, summary } of findings) {
    for (const violation of summary.violations) console.log(`  ${attack.name}: ${violation}`);
  }
  for (const finding of findings) console.log(summaryLine(finding));
  const run = attackSection(findings, { minutes: seconds / 60, seed, elapsedMs });
  if (docs) fillDocument(DOCUMENT, { run }, "torture");
  const violations = findings.reduce((sum, { summary }) => sum + summary.violationCount, 0);
  const attempts = findings.reduce((sum, { summary }) => sum + summary.attempts, 0);
  console.log(`${attempts.toLocaleString("en")} attempts, ${violations} violations; seed ${seed}`);
  return violations === 0;
}

let options: Options | undefined;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
if (options !== undefined && !(await (options.mutants ? runHunts(options) : runTorture(options)))) process.exitCode = 1;
