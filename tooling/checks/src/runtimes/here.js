// @ts-check
// pnpm test:here: the suite on this system, whichever it is; what only Windows can be asked has fixed answers, and every
// envelope has to keep the rules.
import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readReport } from "./compare.js";
import { installPacked } from "./installation.js";

const folder = realpathSync.native(installPacked());
try {
  const answers = join(folder, "answers.json");
  mkdirSync(join(folder, "here"));
  // Links need a privilege on Windows that not everybody has.
  const options = process.platform === "win32" ? ["--no-links"] : [];
  const suite = [join(folder, "suite.js"), join(folder, "here", "project"), answers, ...options];
  const { status } = spawnSync(process.execPath, suite, { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`The suite did not run (exit code ${status}).`);
  const report = readReport(answers);
  const wrong = Object.entries(report.answers).filter(([name, answer]) => !isRight(name, answer));
  const count = Object.keys(report.answers).length;
  console.log(`${process.platform}: ${count} answers, ${wrong.length} wrong; verification by ${report.verification}`);
  for (const [name, answer] of wrong) console.log(`${name}\n  ${JSON.stringify(answer)}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {string} name
 * @param {unknown} answer
 */
function isRight(name, answer) {
  if (name.startsWith("Windows: ")) return answer === "as expected";
  const text = JSON.stringify(answer);
  return !text.includes("INTERNAL_ERROR") && !/"violations":\[\{/u.test(text) && !text.includes('"threw"');
}
