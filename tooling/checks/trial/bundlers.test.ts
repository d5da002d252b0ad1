import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Answers,
  bundleAndRun,
  BUNDLED_PACKAGES,
  EXPECTED,
  LARGE_BUNDLER_PACKAGES,
  LARGE_BUNDLERS,
  parseAnswers,
  writeProgram,
} from "../src/release/bundlers.ts";
import { createProject, type Project } from "../src/release/project.ts";
import { type Published, publishEverything } from "../src/release/published.ts";

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
