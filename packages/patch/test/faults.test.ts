import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fixture, nodeArguments } from "@fstools/testing";
import { expect, it } from "vitest";

const FAULTS = fileURLToPath(new URL("faults.ts", import.meta.url));

// Rule: Whatever call to the disk fails, Patch leaves the old files or the new ones, and nothing beside them.
it("leaves the old files or the new ones, whatever disk call fails", { timeout: 120_000 }, async () => {
  const args = [...nodeArguments(FAULTS), fixture({}).root];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  const runs = JSON.parse(stdout) as { failed: string; status: string; code: string; files: string }[];
  const done = JSON.stringify({ a: "new a\n", "moved/d": "new d\n", "moved/e": "old e\n", "new/dir/b": "new b\n" });
  const before = JSON.stringify({ a: "old a\n", c: "old c\n", "dir/d": "old d\n", e: "old e\n" });
  expect(runs.length).toBeGreaterThan(50);
  expect(runs.at(-1)).toEqual({ failed: "", status: "success", code: "", files: done });
  for (const { failed, status, code, files } of runs) {
    expect({ failed, files }).toEqual({ failed, files: status === "error" ? before : done });
    expect(code).not.toBe("INTERNAL_ERROR");
  }
  for (const name of ["openSync", "writeSync", "fsync", "linkSync", "renameSync", "unlinkSync"]) {
    expect(runs.map(({ failed }) => failed)).toContain(name);
  }
});
