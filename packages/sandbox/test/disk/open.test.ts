import { appendFileSync, existsSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { readUntilFull } from "../../src/disk/open.ts";
import { createSandbox } from "../../src/sandbox.ts";
import { failure } from "../failure.ts";

async function opened(projectRoot: string, path: string) {
  const sandbox = createSandbox({ projectRoot });
  return sandbox.open(await sandbox.resolve(path));
}

describe("openFile", () => {
  it("reads bytes at any position, and none past the end", async () => {
    const { root } = fixture({ "a.txt": "0123456789" });
    const file = await opened(root, "a.txt");
    const target = new Uint8Array(4);
    expect(file.size).toBe(10);
    expect(file.read(target, 3)).toBe(4);
    expect(Buffer.from(target).toString()).toBe("3456");
    expect(file.read(target, 8)).toBe(2);
    expect(file.read(target, 10)).toBe(0);
    expect(file.read(target, 1000)).toBe(0);
    file.close();
  });

  it("gives its first bytes, of a file that became shorter those that are left", async () => {
    const { root, path } = fixture({ "a.txt": "0123456789" });
    const file = await opened(root, "a.txt");
    expect(file.head(4).toString()).toBe("0123");
    expect(file.head(4096).toString()).toBe("0123456789");
    writeFileSync(path("a.txt"), "ab");
    expect(file.head(4).toString()).toBe("ab");
    file.close();
  });

  it("tells who the file is and when it changed", async () => {
    const { root } = fixture({ "a.txt": "a", "b.txt": "b" });
    const [a, again, b] = [await opened(root, "a.txt"), await opened(root, "a.txt"), await opened(root, "b.txt")];
    expect(again.version).toEqual(a.version);
    expect(b.version.inode).not.toBe(a.version.inode);
    expect(Math.abs(a.mtimeMs - Date.now())).toBeLessThan(60_000);
    expect(a.path.relative).toBe("a.txt");
    for (const file of [a, again, b]) file.close();
  });

  it("keeps the file that was opened, whatever happens to its name", async () => {
    const { root, path } = fixture({ "a.txt": "old" });
    const file = await opened(root, "a.txt");
    writeFileSync(path("new"), "new content");
    renameSync(path("new"), path("a.txt"));
    const target = new Uint8Array(20);
    expect(Buffer.from(target.subarray(0, file.read(target, 0))).toString()).toBe("old");
    file.close();
  });

  it("knows whether its content changed; a new name or mode is no change", async () => {
    const { root, path } = fixture({ "a.txt": "old", "b.txt": "old", "c.txt": "old" });
    const [a, b, c] = [await opened(root, "a.txt"), await opened(root, "b.txt"), await opened(root, "c.txt")];
    renameSync(path("a.txt"), path("d.txt"));
    writeFileSync(path("b.txt"), "newer");
    utimesSync(path("c.txt"), 1, 1);
    expect([a, b, c].map((file) => file.isUnchanged())).toEqual([true, false, false]);
    for (const file of [a, b, c]) file.close();
  });

  it("reads what was appended since", async () => {
    const { root, path } = fixture({ "a.log": "one" });
    const file = await opened(root, "a.log");
    appendFileSync(path("a.log"), "two");
    expect(file.size).toBe(3);
    expect(file.read(new Uint8Array(20), 0)).toBe(6);
    file.close();
  });

  it("has nothing to read in an empty file", async () => {
    const file = await opened(fixture({ empty: "" }).root, "empty");
    expect(file.size).toBe(0);
    expect(file.read(new Uint8Array(4), 0)).toBe(0);
    file.close();
  });

  it("may be closed twice, without closing what came after it", async () => {
    const { root } = fixture({ "a.txt": "a" });
    const first = await opened(root, "a.txt");
    first.close();
    const second = await opened(root, "a.txt");
    first.close();
    expect(second.read(new Uint8Array(4), 0)).toBe(1);
    second.close();
  });

  it("reports a file that vanished", async () => {
    const { root, path } = fixture({ "a.txt": "a" });
    const sandbox = createSandbox({ projectRoot: root });
    const file = await sandbox.resolve("a.txt");
    rmSync(path("a.txt"));
    expect(await failure(() => sandbox.open(file))).toMatchObject({ reason: "missing", code: "NOT_FOUND" });
  });

  describe.runIf(existsSync("/proc/self/status"))("of files that the kernel makes up", () => {
    it("knows the size that they do not tell", async () => {
      const file = await opened("/proc", "self/status");
      expect(file.size).toBeGreaterThan(100);
      const target = new Uint8Array(file.size + 10);
      expect(file.read(target, 0)).toBe(file.size);
      expect(Buffer.from(target).toString()).toMatch(/^Name:/u);
      expect(file.read(target, 5)).toBe(file.size - 5);
      expect(file.read(target, file.size)).toBe(0);
      file.close();
    });

    it.runIf(existsSync("/proc/kallsyms"))("reads no more than 1 MiB of them", async () => {
      const error = await failure(() => opened("/proc", "kallsyms"));
      expect(error).toMatchObject({ reason: "io", code: "EXECUTION_ERROR", osError: "EFBIG: file too large" });
    });

    it("reports when they cannot be read", async () => {
      const error = await failure(() => opened("/proc", "self/mem"));
      expect(error).toMatchObject({ reason: "io", code: "EXECUTION_ERROR", osError: "EIO: i/o error" });
    });
  });

  it("gives a file of /sys the size of what it holds", async ({ skip }) => {
    if (!existsSync("/sys/kernel/uevent_seqnum")) return skip("needs Linux with /sys");
    const sandbox = createSandbox({ projectRoot: "/sys/kernel" });
    const file = sandbox.open(await sandbox.resolve("uevent_seqnum"));
    const bytes = Buffer.alloc(100);
    const length = file.read(bytes, 0);
    expect(bytes.toString("utf8", 0, length)).toMatch(/^\d+\n$/u);
    expect(file.size).toBe(length);
    file.close();
  });
});

describe("readUntilFull", () => {
  it("goes on after a short read, and ends with the file", () => {
    const bytes = Buffer.from("abcdefgh");
    const threeAtOnce = (target: Uint8Array, position: number) =>
      bytes.copy(target, 0, position, Math.min(bytes.length, position + 3));
    const target = Buffer.alloc(7);
    expect(readUntilFull(threeAtOnce, target, 1)).toBe(7);
    expect(target.toString()).toBe("bcdefgh");
    expect(readUntilFull(threeAtOnce, target, 4)).toBe(4);
  });
});
