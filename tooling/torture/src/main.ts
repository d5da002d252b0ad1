import { SECONDS, summaryLine, wage } from "./campaign.ts";
import { runMutants } from "./mutants.ts";
import { parseOptions, USAGE, type Options } from "./options.ts";
import { attackSection, fillDocument, mutantSection } from "./report.ts";

async function main(): Promise<void> {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const isFine = options.mutants ? await runHunts(options) : await runTorture(options);
  if (!isFine) process.exitCode = 1;
}

/** True if every mutant was found. */
async function runHunts({ seed, only, docs }: Options): Promise<boolean> {
  const startedAt = performance.now();
  const hunts = await runMutants({ seed, only });
  if (docs) fillDocument("mutants", mutantSection(hunts, { seed, elapsedMs: performance.now() - startedAt }));
  const found = hunts.filter((hunt) => hunt.found !== undefined).length;
  console.log(`${found} of ${hunts.length} mutants found; seed ${seed}`);
  return found === hunts.length;
}

/** True if nothing was violated. */
async function runTorture({ minutes, short, seed, only, docs }: Options): Promise<boolean> {
  console.log(`seed ${seed}`);
  const extent = short ? "short" : "full";
  const seconds = minutes === undefined ? SECONDS[extent] : minutes * 60;
  const startedAt = performance.now();
  const findings = await wage({
    seed,
    seconds,
    extent,
    only,
    onBegin: (name) => {
      console.error(name);
    },
  });
  const elapsedMs = performance.now() - startedAt;
  for (const { attack, summary } of findings) {
    for (const violation of summary.violations) console.log(`  ${attack.name}: ${violation}`);
  }
  for (const finding of findings) console.log(summaryLine(finding));
  if (docs) fillDocument("torture", attackSection(findings, { minutes: seconds / 60, seed, elapsedMs }));
  const violations = findings.reduce((sum, { summary }) => sum + summary.violationCount, 0);
  const attempts = findings.reduce((sum, { summary }) => sum + summary.attempts, 0);
  console.log(`${attempts.toLocaleString("en")} attempts, ${violations} violations; seed ${seed}`);
  return violations === 0;
}

await main();
