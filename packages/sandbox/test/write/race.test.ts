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
import { createFileChanger } from "../../src/write/changer.ts";
import { PartlyDoneError } from "../../src/write/write-error.ts";
import { changeAll, type Wish } from "./change-all.ts";

const WRITES = 400;
const SETS = 150;
const REFUSALS = new Set([
  "ACCESS_DENIED",
  "NOT_FOUND",
  "CONFLICT",
  "IS_DIRECTORY",
  "INVALID_PARAM",
  "EXECUTION_ERROR",
]);
const call = { signal: new AbortController().signal, has: () => true, note: () => undefined, tell: () => undefined };

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

it("creates, changes, moves and removes nothing outside in sets of changes either", { timeout: 120_000 }, async () => {
  const sandbox = createSandboxWithin(createBoundary({ projectRoot: tree.path("project") }));
  const counts = { made: 0, refused: 0 };
  const leaks: string[] = [];
  for (let set = 0; set < SETS || counts.made === 0 || counts.refused === 0; set += 1) {
    const sets: readonly (readonly Wish[])[] = [
      [
        { path: `a${set}`, text: "new" },
        { path: `directory/${set}`, text: "new" },
      ],
      [
        { path: `directory/${set}`, to: `b${set}` },
        { path: `a${set}`, to: `directory/a/${set}` },
      ],
      [{ path: "directory/file.txt", to: `c${set}` }, { path: "file.txt" }],
      [
        { path: `b${set}`, text: "again" },
        { path: `c${set}`, to: "directory/file.txt", text: "again" },
      ],
      [{ path: `directory/a/${set}` }, { path: `b${set}` }],
    ];
    for (const wishes of sets) {
      try {
        await changeAll(sandbox, wishes);
        counts.made += 1;
      } catch (error) {
        // The attack also removes what a set has put in place, which then cannot be taken back.
        const isExpected = error instanceof PartlyDoneError || (isToolError(error) && REFUSALS.has(error.code));
        if (!isExpected) throw error;
        counts.refused += 1;
      }
    }
    if (readdirSync(tree.path("outside")).join() !== "file.txt") leaks.push("created, moved or removed");
    else if (readFileSync(tree.path("outside/file.txt"), "utf8") !== "SECRET") leaks.push("changed");
    if (set % 8 === 0) await setTimeout(1);
  }
  expect(leaks).toEqual([]);
  expect(counts.made).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(0);
});

it("leaves no temporary file behind where paths can only be looked at again", { timeout: 120_000 }, async () => {
  const sandbox = createSandboxWithin(createBoundary({ projectRoot: tree.path("project"), usesProc: false }));
  for (let write = 0; write < WRITES / 2; write += 1) {
    const outcome = changeAll(sandbox, [{ path: `directory/${write}`, text: "new" }]);
    await outcome.catch((error: unknown) => {
      if (!isToolError(error)) throw error;
    });
    if (write % 8 === 0) await setTimeout(1);
  }
  const isLeft = (name: string) => name.includes(".fstools-");
  expect(readdirSync(tree.path("outside"), { recursive: true, encoding: "utf8" }).filter(isLeft)).toEqual([]);
  // Where the attack removes and renames it meanwhile, the project may have to be listed again.
  await expect
    .poll(() => readdirSync(tree.path("project"), { recursive: true, encoding: "utf8" }).filter(isLeft))
    .toEqual([]);
});
