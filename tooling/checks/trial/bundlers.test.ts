import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Answers,
  type Bundler,
  bundleAndRun,
  BUNDLED_PACKAGES,
  EXPECTED,
  parseAnswers,
  writeProgram,
} from "../test/release/bundlers.ts";
import { createProject, type Project } from "../test/release/project.ts";
import { type Published, publishEverything } from "../test/release/published.ts";

/** Those that are installed for the trial. */
const LARGE_BUNDLERS: readonly Bundler[] = [
  {
    name: "webpack",
    command: "node_modules/.bin/webpack",
    args: ["--target", "node", "--mode", "production", "--entry", "./main.js", "--output-path", "webpack"],
    folder: "webpack",
    start: ["node", "main.js"],
  },
  {
    name: "bun --compile",
    command: "node_modules/@oven/bun-linux-x64/bin/bun",
    args: ["build", "main.js", "--compile", "--outfile", "bun/main"],
    folder: "bun",
    start: ["./main"],
  },
];

const LARGE_BUNDLER_PACKAGES = [
  "webpack@5",
  "webpack-cli@6",
  "@oven/bun-linux-x64@1.4",
  "next@16.4",
  "react@19",
  "react-dom@19",
];

let published: Published;
let project: Project;

beforeAll(async () => {
  published = await publishEverything();
  project = createProject(join(published.folder, "bundled"), published.registry);
  await project.install([...BUNDLED_PACKAGES, ...LARGE_BUNDLER_PACKAGES]);
  writeProgram(project);
});

afterAll(() => {
  published.remove();
});

it.each(LARGE_BUNDLERS)("$name", async (bundler) => {
  const answers = await bundleAndRun(bundler, project, published.folder);
  expect(answers).toMatchObject(EXPECTED);
  expect(answers.Grep).toMatchObject({ fallback: "javascript", fallback_reason: "rg_not_found" });
});

it("a route of Next", async () => {
  const next = join("node_modules", ".bin", "next");
  await project.run(next, ["build"]);
  expect(await askServer(next)).toMatchObject(EXPECTED);
});

/** Starts the built application, and asks its route once. */
async function askServer(next: string): Promise<Answers> {
  const server = spawn(next, ["start", "--port", "0"], { cwd: project.folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface(server.stdout)) {
      const address = /http:\/\/localhost:\d+/u.exec(line)?.[0];
      if (address === undefined) continue;
      const response = await fetch(`${address}/api`);
      return parseAnswers(await response.text());
    }
    throw new Error("The server said no address.");
  } finally {
    server.kill();
    await once(server, "close");
  }
}
