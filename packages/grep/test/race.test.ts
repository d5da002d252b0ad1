import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { conformant, fixture, type Tree } from "@fstools/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGrepTool } from "../src/index.ts";
import { bundledRipgrep } from "../src/engine/ripgrep/process.ts";

// Every file outside holds it, in lines that match; no parameter does.
const SECRET = "CANARY-5d2e";
const SEARCHES = 300;
const PATTERN = "inside|CANAR.";

const CALLS = [
  { pattern: PATTERN, context: 1 },
  { pattern: PATTERN, path: "victim", output_mode: "count" },
  { pattern: PATTERN, path: "victim.txt" },
  { pattern: PATTERN, path: "nest/middle", output_mode: "files" },
  { pattern: PATTERN, path: "nest", multiline: true },
  { pattern: PATTERN, sort: "modified", include: "*.txt" },
];

let root = "";
let swapper: ChildProcess;
let cleanup = (): void => undefined;

beforeAll(async () => {
  const texts: Record<string, Tree> = { "a.txt": "inside\n", "b.txt": "inside\n" };
  const secrets: Record<string, Tree> = { "a.txt": `${SECRET}\n`, "b.txt": `${SECRET}\n`, "secret.txt": `${SECRET}\n` };
  // More files than are searched without asking ripgrep which of them match.
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}.txt`, "calm\n"]));
  const place = fixture({
    project: { "victim.txt": "inside\n", victim: texts, nest: { middle: texts }, a: many, z: { "z.txt": "inside\n" } },
    outside: { ...secrets, [`${SECRET}.txt`]: "inside\n", middle: secrets },
  });
  cleanup = place.cleanup;
  root = place.path("project");
  swapper = spawn(process.execPath, [new URL("swapper.js", import.meta.url).pathname, root, place.path("outside")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (swapper.stdout !== null) await once(swapper.stdout, "data");
});

afterAll(async () => {
  swapper.stdin?.end();
  await once(swapper, "exit");
  cleanup();
});

// Rule: No line and no path from outside comes back under attack; an engine that trusts ripgrep's output is caught.
describe("files and directories that are swapped for links to outside", () => {
  it(`show nothing from outside in ${SEARCHES} searches`, { timeout: 300_000 }, async () => {
    const tools = [createGrepTool({ projectRoot: root }), createGrepTool({ projectRoot: root, ripgrepPath: false })];
    const seen = { found: 0, refused: 0 };
    let started = 0;
    const worker = async (): Promise<void> => {
      while (started < SEARCHES) {
        const call = CALLS[started % CALLS.length];
        const tool = tools[Math.floor(started / CALLS.length) % 2];
        started += 1;
        const response = conformant(await tool?.run(call), "grep");
        expect(JSON.stringify(response)).not.toContain(SECRET);
        if (response?.status === "error") seen.refused += 1;
        else if (response !== undefined && "matches" in response.data && response.text.includes("inside"))
          seen.found += 1;
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    // Won and lost, or the race would prove nothing.
    expect(seen.found).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(0);
  });

  it("would show it if ripgrep's output were trusted", { timeout: 300_000 }, async () => {
    const command = (await bundledRipgrep()) ?? "";
    let printed = "";
    for (let search = 0; search < SEARCHES && !printed.includes(SECRET); search += 1) {
      const args = ["--no-config", "--no-heading", "-n", "-e", PATTERN, "./victim/", "./nest/middle/", "./victim.txt"];
      ({ stdout: printed } = await promisify(execFile)(command, args, { cwd: root }).catch((error: unknown) => {
        return error as { stdout: string };
      }));
    }
    expect(printed).toContain(SECRET);
  });
});
