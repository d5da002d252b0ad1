import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isToolError } from "@fstools/protocol";
import { fixture, type Fixture } from "@fstools/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { createSandboxWithin } from "../../src/sandbox.ts";
import { createFileChanger } from "../../src/write/change-file.ts";

const WRITES = 2400;
const REFUSALS = new Set([
  "ACCESS_DENIED",
  "NOT_FOUND",
  "CONFLICT",
  "IS_DIRECTORY",
  "INVALID_PARAM",
  "EXECUTION_ERROR",
]);
const call = { signal: new AbortController().signal, has: () => true, note: () => undefined };

let tree: Fixture;
let stopAttack: () => Promise<unknown>;

beforeAll(async () => {
  tree = fixture({
    project: { "file.txt": "inside", directory: { "file.txt": "inside" } },
    outside: { "file.txt": "SECRET" },
  });
  const script = fileURLToPath(new URL("../race-attacker.mjs", import.meta.url));
  const attacker = spawn(process.execPath, [script, tree.path("project"), tree.path("outside"), "16"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(attacker.stdout, "data");
  stopAttack = () => {
    // Else it gave up before the end, and there was no attack.
    expect(attacker.exitCode).toBeNull();
    const exited = once(attacker, "exit");
    attacker.kill("SIGKILL");
    return exited;
  };
});

afterAll(async () => {
  await stopAttack();
  tree.cleanup();
});

it(
  "writes nothing outside while files and directories are swapped for links to outside",
  { timeout: 120_000 },
  async () => {
    const sandbox = createSandboxWithin(createBoundary({ projectRoot: tree.path("project") }));
    const change = createFileChanger(sandbox, { durable: false });
    const counts = { written: 0, refused: 0 };
    const leaks: string[] = [];
    for (let write = 0; write < WRITES || counts.written === 0 || counts.refused === 0; write += 1) {
      const paths = ["file.txt", "directory/file.txt", `directory/${write}`, `directory/${write}/deep/er`];
      try {
        await change(
          {
            tool: "Race",
            path: paths[write % paths.length] ?? "",
            creates: true,
            reader: "Read",
            plan: async (current) => {
              if ((await current.read()).includes("SECRET")) leaks.push("read");
              return { operation: "update", bytes: Buffer.from(`WRITTEN ${write}`), diff: () => Promise.resolve("") };
            },
          },
          call,
        );
        counts.written += 1;
      } catch (error) {
        if (!isToolError(error) || !REFUSALS.has(error.code)) throw error;
        counts.refused += 1;
      }
      if (readdirSync(tree.path("outside")).length !== 1) leaks.push("created");
      if (readFileSync(tree.path("outside/file.txt"), "utf8") !== "SECRET") leaks.push("changed");
      // For machines where the attack has no core of its own.
      if (write % 8 === 0) await setTimeout(1);
    }
    expect(leaks).toEqual([]);
    expect(counts.written).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  },
);
