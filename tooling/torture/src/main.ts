import { FULL, SHORT, summaryLine, wage } from "./campaign.ts";
import { runMutants } from "./mutants.ts";
import { parseOptions, USAGE, type Options } from "./options.ts";

async function main(): Promise<void> {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const survived = options.mutants ? await runMutants(options) : await runTorture(options);
  if (!survived) process.exitCode = 1;
}

/** True if nothing was violated. */
async function runTorture({ minutes, short, seed, only }: Options): Promise<boolean> {
  console.log(`seed ${seed}`);
  const { seconds, effort } = short ? SHORT : FULL;
  const findings = await wage({
    seed,
    seconds: minutes === undefined ? seconds : minutes * 60,
    effort,
    only,
    onProgress: progress,
  });
  progress("");
  for (const { attack, summary } of findings) {
    for (const violation of summary.violations) console.log(`  ${attack.name}: ${violation}`);
  }
  for (const finding of findings) console.log(summaryLine(finding));
  const violations = findings.reduce((sum, { summary }) => sum + summary.violationCount, 0);
  const attempts = findings.reduce((sum, { summary }) => sum + summary.attempts, 0);
  console.log(`${attempts.toLocaleString("en")} attempts, ${violations} violations; seed ${seed}`);
  return violations === 0;
}

/** One line that is written over where there is a terminal; else nothing but the end. */
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${line.padEnd(60)}${line === "" ? "\r" : ""}`);
  else if (line !== "") process.stderr.write(`${line}\n`);
}

await main();
