import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fixture } from "@fstools/testing";
import { expect, it } from "vitest";

const WRITER = fileURLToPath(new URL("fight-writer.ts", import.meta.url));
const TIMES = 1500;

it(
  "loses at most a few updates in an endless fight of two processes, and never the file",
  { timeout: 120_000 },
  async () => {
    const { root, path } = fixture({ "a.txt": "0" });
    const fight = () =>
      promisify(execFile)(process.execPath, [
        "--conditions=@fstools/source",
        "--import",
        import.meta.resolve("tsx"),
        WRITER,
        root,
        "a.txt",
        String(TIMES),
      ]);
    const made = (await Promise.all([fight(), fight()])).map(({ stdout }) => Number(stdout));
    const counted = Number(readFileSync(path("a.txt"), "utf8"));
    const updates = made.reduce((sum, count) => sum + count, 0);
    const lost = updates - counted;
    console.log(`${updates} updates of two processes, ${2 * TIMES - updates} conflicts, ${lost} lost`);
    expect(counted).toBeGreaterThan(0);
    expect(lost).toBeGreaterThanOrEqual(0);
    // Between the last look and the rename lies one system call; half of all updates would mean that nobody looks.
    expect(lost).toBeLessThan(updates / 10);
    expect(readdirSync(root)).toEqual(["a.txt"]);
  },
);
