import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { fixture, nodeArguments } from "@fstools/testing";
import { describe, expect, it } from "vitest";

const WRITER = fileURLToPath(new URL("crash-writer.ts", import.meta.url));
const TEMPORARY = /^\.fstools-[\da-f]{16}\.tmp$/u;
const LEAST_KILLS = 6;
const MOST_KILLS = 40;
const WRITES_PER_KILL = 40;

/** Kills a process that writes a file, at a random moment; tells how many writes it had made. */
async function killedWriter(
  project: string,
  { size, durable, writes, delayMs }: { size: number; durable: boolean; writes: number; delayMs: number },
): Promise<number> {
  const args = [...nodeArguments(WRITER), project, "a.txt", `${size}`, `${durable}`];
  const writer = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  writer.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  const made = () => output.split(".").length - 1;
  while (!output.includes("ready") || made() < writes) await once(writer.stdout, "data");
  await setTimeout(delayMs);
  const closed = once(writer, "close");
  writer.kill("SIGKILL");
  await closed;
  return made();
}

/** The file holds one digit, as often as it is long: half of a write would hold two, or be shorter. */
function expectWhole(path: string, size: number): void {
  const text = readFileSync(path, "latin1");
  expect(text.length === size || text === "start").toBe(true);
  expect(text === "start" || text === (text[0] ?? "").repeat(size)).toBe(true);
}

describe("a process that is killed while it writes", () => {
  it(
    "leaves the old file or the new one, whole, and at most one more, whose name says what it is",
    { timeout: 180_000 },
    async () => {
      const { root, path } = fixture({ "a.txt": "start" });
      let writes = 0;
      let left = 0;
      // Goes on while no kill has struck at an interesting moment.
      for (let kill = 0; kill < LEAST_KILLS || (left === 0 && kill < MOST_KILLS); kill += 1) {
        const size = kill % 2 === 0 ? 200_000 : 5000;
        const durable = kill % 5 === 0;
        if (kill % 3 === 0) rmSync(path("a.txt"), { force: true });
        writes += await killedWriter(root, { size, durable, writes: WRITES_PER_KILL, delayMs: Math.random() * 5 });
        const others = readdirSync(root).filter((name) => name !== "a.txt");
        expect(others.every((name) => TEMPORARY.test(name))).toBe(true);
        expect(others.length).toBeLessThanOrEqual(1);
        expectWhole(path("a.txt"), size);
        left += others.length;
        for (const name of others) rmSync(path(name));
      }
      expect(writes).toBeGreaterThanOrEqual(LEAST_KILLS * WRITES_PER_KILL);
      expect(left).toBeGreaterThan(0);
    },
  );

  it("leaves a file of 50 MB whole", { timeout: 120_000 }, async () => {
    const { root, path } = fixture({ "a.txt": "start" });
    const size = 50_000_000;
    for (let kill = 0; kill < 3; kill += 1) {
      await killedWriter(root, { size, durable: false, writes: 0, delayMs: 20 + Math.random() * 300 });
      expectWhole(path("a.txt"), size);
      for (const name of readdirSync(root)) if (TEMPORARY.test(name)) rmSync(path(name));
    }
  });
});
