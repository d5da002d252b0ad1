import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { asNobody, fixture, type Fixture, link, nodeArguments } from "@fstools/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { raceFor, type RaceCounts } from "./race-reader.ts";

const MILLISECONDS = 1200;
const reader = fileURLToPath(new URL("race-reader.ts", import.meta.url));
const source = fileURLToPath(new URL("../../../tooling/torture/src/exchange.c", import.meta.url));

let tree: Fixture;
let exchange: string | undefined;

beforeAll(() => {
  tree = fixture();
  try {
    execFileSync("cc", ["-O1", "-o", tree.path("exchange"), source], { stdio: "ignore" });
    exchange = tree.path("exchange");
  } catch {
    exchange = undefined;
  }
});

afterAll(() => {
  tree.cleanup();
});

/** A project in which a directory and a file are exchanged for links to outside, again and again. */
async function underExchange<Result>(program: string, race: (project: string) => Result | Promise<Result>) {
  const dangling = link("only-outside");
  const inside = { "file.txt": "inside", "only-inside.txt": "", dangling, deep: { "file.txt": "inside" } };
  const { root, path } = fixture({
    project: { swapped: inside, "file.txt": "inside", "stays.txt": "" },
    outside: {
      "file.txt": "SECRET",
      "SECRET.txt": "",
      deep: { "file.txt": "SECRET", SECRET: "" },
      "only-outside": {},
      loop: link("loop"),
    },
  });
  symlinkSync(path("project"), path("outside/back"));
  symlinkSync(path("project/stays.txt"), path("outside/back-file"));
  chmodSync(root, 0o755);
  symlinkSync(path("outside"), path("project/link"));
  symlinkSync(path("outside/file.txt"), path("project/file-link"));
  const pairs = ["swapped", "link", "file.txt", "file-link"].map((name) => path("project", name));
  const attacker = spawn(program, pairs);
  try {
    await once(attacker.stdout, "data");
    return await race(path("project"));
  } finally {
    attacker.kill("SIGKILL");
    await once(attacker, "exit");
  }
}

/** Runs the reader in a separate process that has no /proc. */
function readWithoutProc(project: string): RaceCounts {
  const node = [process.execPath, ...nodeArguments(reader), project];
  const script = ["-m", "sh", "-ec", 'umount -l /proc; exec "$@"', "sh", ...node, String(MILLISECONDS)];
  return JSON.parse(execFileSync("unshare", script, { encoding: "utf8" })) as RaceCounts;
}

function expectNoLeak(counts: RaceCounts): void {
  expect(counts).toMatchObject({ leaks: 0, told: 0 });
  expect(counts.inside).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(0);
}

describe.runIf(process.platform === "linux")("while names are exchanged atomically", { timeout: 120_000 }, () => {
  it("nothing from outside comes back, nor whether it exists", async ({ skip }) => {
    if (exchange === undefined) return skip("needs a C compiler");
    const counts = await underExchange(exchange, (project) => raceFor(project, MILLISECONDS));
    expect(counts.verification).toBe("descriptor");
    expectNoLeak(counts);
  });

  it("the same by paths alone", async ({ skip }) => {
    if (exchange === undefined) return skip("needs a C compiler");
    const counts = await underExchange(exchange, (project) => raceFor(project, MILLISECONDS, false));
    expect(counts.verification).toBe("path");
    expectNoLeak(counts);
  });

  it("the same where /proc is not mounted", async ({ skip }) => {
    if (exchange === undefined) return skip("needs a C compiler");
    try {
      execFileSync("unshare", ["-m", "sh", "-c", "umount -l /proc"], { stdio: "ignore" });
    } catch {
      return skip("needs root, to unmount /proc in a namespace of its own");
    }
    const counts = await underExchange(exchange, readWithoutProc);
    expect(counts.verification).toBe("path");
    expectNoLeak(counts);
  });

  it("the same in a root that can be entered but not listed", async ({ skip }) => {
    if (exchange === undefined) return skip("needs a C compiler");
    if (process.getuid?.() !== 0) return skip("needs root, to give it up");
    const counts = await underExchange(exchange, async (project) => {
      chmodSync(project, 0o311);
      chownSync(project, 0, 0);
      return asNobody(() => raceFor(project, MILLISECONDS));
    });
    expect(counts.verification).toBe("descriptor");
    expectNoLeak(counts);
  });
});
