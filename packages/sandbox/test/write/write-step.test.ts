import fs, {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { asNobody, fixture, type Fixture } from "@fstools/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { openFile } from "../../src/disk/open.ts";
import { errnoCode } from "../../src/disk/errno.ts";
import { isSameVersion, versionOf, type FileVersion } from "../../src/versions.ts";
import { createSandboxWithin } from "../../src/sandbox.ts";
import { createFileChanger } from "../../src/write/changer.ts";
import { putSet, type StepResult } from "../../src/write/change-set.ts";
import { StaleTargetError } from "../../src/write/write-error.ts";
import { writeStep } from "../../src/write/write-step.ts";
import { failure } from "../failure.ts";
import { mountForTest } from "../mount.ts";

const isRoot = process.getuid?.() === 0;
const call = { signal: new AbortController().signal, has: () => true, note: () => undefined, tell: () => undefined };
const isLinux = process.platform === "linux";

interface PutOptions {
  readonly durable?: boolean;
  readonly signal?: AbortSignal;
  readonly expected?: FileVersion | undefined;
}

interface Setup {
  readonly put: (content: string, options?: PutOptions) => Promise<StepResult>;
  readonly tree: Fixture;
}

/** Puts `root/dir/a.txt`, expecting it as it is now. */
function setup(tree: Fixture, usesProc?: boolean): Setup {
  const boundary = createBoundary({ projectRoot: tree.path("root"), usesProc });
  const path = boundary.paths.create("dir/a.txt");
  const target = { path, nearest: "dir", missing: [], name: "a.txt", exists: true };
  const current = () => {
    const file = openFile(boundary, path);
    file.close();
    return file.version;
  };
  return {
    tree,
    put: async (content, options = {}) => {
      const { durable = false, signal = new AbortController().signal } = options;
      const expected = "expected" in options ? options.expected : current();
      const step = writeStep(target, { bytes: Buffer.from(content), expected });
      const [result] = await putSet(boundary, [step], { durable, signal });
      if (result === undefined) throw new Error("A step has a result.");
      return result;
    },
  };
}

function leftovers(tree: Fixture, directory = "root/dir"): string[] {
  return readdirSync(tree.path(directory)).filter((name) => /^\.fstools-[\da-f]{16}\.tmp$/u.test(name));
}

const withFile = () => fixture({ root: { dir: { "a.txt": "old" } }, outside: { "a.txt": "SECRET" } });
const withoutFile = () => fixture({ root: { dir: {} } });

describe.each([
  ["through /proc", undefined],
  ["by path", false],
])("writeStep %s", (_, usesProc) => {
  it("replaces a file, keeps its mode, and returns its new version", async () => {
    const { put, tree } = setup(withFile(), usesProc);
    chmodSync(tree.path("root/dir/a.txt"), 0o751);
    const { version, inPlace } = await put("new content");
    expect(inPlace).toBeUndefined();
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("new content");
    const stats = statSync(tree.path("root/dir/a.txt"), { bigint: true });
    expect(Number(stats.mode) & 0o7777).toBe(0o751);
    expect(version !== undefined && isSameVersion(version, versionOf(stats))).toBe(true);
    expect(leftovers(tree)).toEqual([]);
  });

  // Rule: A change of a file takes away its setuid and setgid bits, as the system does when a file is written.
  it("takes setuid and setgid bits away", async () => {
    const { put, tree } = setup(withFile(), usesProc);
    chmodSync(tree.path("root/dir/a.txt"), 0o6755);
    await put("new");
    expect(statSync(tree.path("root/dir/a.txt")).mode & 0o7777).toBe(0o755);
  });

  it("creates a file with what the umask leaves, and returns its version", async () => {
    const { put, tree } = setup(withoutFile(), usesProc);
    const before = process.umask(0o027);
    const { version } = await put("", { expected: undefined }).finally(() => process.umask(before));
    const stats = statSync(tree.path("root/dir/a.txt"), { bigint: true });
    expect(Number(stats.mode) & 0o7777).toBe(0o640);
    expect(stats.nlink).toBe(1n);
    expect(version !== undefined && isSameVersion(version, versionOf(stats))).toBe(true);
    expect(leftovers(tree)).toEqual([]);
  });

  it("does not overwrite a file, or a link, that appeared meanwhile", async () => {
    for (const appear of [
      (path: string) => {
        writeFileSync(path, "theirs");
      },
      (path: string) => {
        symlinkSync("nowhere", path);
      },
    ]) {
      const { put, tree } = setup(withoutFile(), usesProc);
      appear(tree.path("root/dir/a.txt"));
      await expect(put("mine", { expected: undefined })).rejects.toThrow(StaleTargetError);
      expect(readdirSync(tree.path("root/dir"))).toEqual(["a.txt"]);
      if (lstatSync(tree.path("root/dir/a.txt")).isFile())
        expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("theirs");
    }
  });

  it.each<[string, (tree: Fixture) => void]>([
    [
      "changed",
      (tree) => {
        writeFileSync(tree.path("root/dir/a.txt"), "other");
      },
    ],
    [
      "replaced by one of the same size and time",
      (tree) => {
        const { atime, mtime } = statSync(tree.path("root/dir/a.txt"));
        writeFileSync(tree.path("root/b"), "odl");
        utimesSync(tree.path("root/b"), atime, mtime);
        renameSync(tree.path("root/b"), tree.path("root/dir/a.txt"));
      },
    ],
    [
      "removed",
      (tree) => {
        rmSync(tree.path("root/dir/a.txt"));
      },
    ],
    [
      "swapped for a link to outside",
      (tree) => {
        rmSync(tree.path("root/dir/a.txt"));
        symlinkSync(tree.path("outside/a.txt"), tree.path("root/dir/a.txt"));
      },
    ],
    [
      "swapped for a directory",
      (tree) => {
        rmSync(tree.path("root/dir/a.txt"));
        mkdirSync(tree.path("root/dir/a.txt"));
      },
    ],
  ])("does not touch a file that was %s", async (_name, change) => {
    const { put, tree } = setup(withFile(), usesProc);
    const expected = versionOf(statSync(tree.path("root/dir/a.txt"), { bigint: true }));
    change(tree);
    await expect(put("mine", { expected })).rejects.toThrow(StaleTargetError);
    expect(readFileSync(tree.path("outside/a.txt"), "utf8")).toBe("SECRET");
    expect(leftovers(tree)).toEqual([]);
  });

  it("writes nothing into a directory that was swapped for a link to outside", async () => {
    const { put, tree } = setup(withFile(), usesProc);
    const expected = versionOf(statSync(tree.path("root/dir/a.txt"), { bigint: true }));
    renameSync(tree.path("root/dir"), tree.path("root/moved"));
    symlinkSync("../outside", tree.path("root/dir"));
    expect(await failure(() => put("mine", { expected }))).toMatchObject({ reason: "outside" });
    expect(await failure(() => put("mine", { expected: undefined }))).toMatchObject({ reason: "outside" });
    expect(readFileSync(tree.path("outside/a.txt"), "utf8")).toBe("SECRET");
    expect(readdirSync(tree.path("outside"))).toEqual(["a.txt"]);
  });

  it("writes in place if the file has other names, which remain", async () => {
    const { put, tree } = setup(withFile(), usesProc);
    linkSync(tree.path("root/dir/a.txt"), tree.path("root/other"));
    for (const content of ["a longer content", "short"]) {
      const { version, inPlace } = await put(content);
      expect(inPlace).toBe("hard links");
      expect(readFileSync(tree.path("root/other"), "utf8")).toBe(content);
      const stats = statSync(tree.path("root/dir/a.txt"), { bigint: true });
      expect(stats.nlink).toBe(2n);
      expect(version !== undefined && isSameVersion(version, versionOf(stats))).toBe(true);
    }
    expect(leftovers(tree)).toEqual([]);
  });

  it("stops before the rename when the call is aborted", async () => {
    const { put, tree } = setup(withFile(), usesProc);
    const reason = new Error("enough");
    await expect(put("mine", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("old");
    expect(leftovers(tree)).toEqual([]);
  });
});

describe.runIf(isLinux)("a file at the end of a very long path", () => {
  it.each([4074, 4094, 4095])("of %i bytes is created and replaced", async (length) => {
    const tree = fixture({ root: {} });
    const rest = length - tree.path("root").length - "/a.txt".length;
    const names = Array.from({ length: Math.ceil(rest / 200) }, (_, index) =>
      "d".repeat(Math.min(199, rest - index * 200 - 1)),
    );
    const directory = tree.path(`root/${names.join("/")}`);
    mkdirSync(directory, { recursive: true });
    const path = `${directory}/a.txt`;
    expect(path).toHaveLength(length);
    const sandbox = createSandboxWithin(createBoundary({ projectRoot: tree.path("root") }));
    const change = createFileChanger(sandbox, {});
    for (const text of ["one", "two"]) {
      const plan = () =>
        Promise.resolve({ operation: "update" as const, bytes: Buffer.from(text), diff: () => Promise.resolve("") });
      await change({ tool: "Long", path, creates: true, plan }, call);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    expect(readdirSync(directory)).toEqual(["a.txt"]);
  });
});

it("puts a new file in place although its temporary name cannot be removed at once", async () => {
  const tree = fixture({ root: { dir: {} } });
  const real = fs.unlinkSync;
  let failures = 1;
  fs.unlinkSync = (path) => {
    if (failures-- > 0) throw Object.assign(new Error("EBUSY: resource busy"), { code: "EBUSY" });
    real(path);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.unlinkSync = real;
    syncBuiltinESMExports();
  });
  await setup(tree).put("new", { expected: undefined });
  expect(readdirSync(tree.path("root/dir"))).toEqual(["a.txt"]);
  expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("new");
});

describe("writeStep with a big file", () => {
  it.each([true, false])("writes it whole (durable: %s)", async (durable) => {
    const { put, tree } = setup(withFile());
    const content = "0123456789abcde\n".repeat(200_000);
    await put(content, { durable });
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8") === content).toBe(true);
  });
});

describe.runIf(isRoot && isLinux)("writeStep as root", () => {
  it("writes in place what belongs to another user, and keeps the owner", async () => {
    const { put, tree } = setup(withFile());
    chownSync(tree.path("root/dir/a.txt"), 1234, 4321);
    chmodSync(tree.path("root/dir/a.txt"), 0o640);
    expect((await put("new")).inPlace).toBe("another owner");
    expect(statSync(tree.path("root/dir/a.txt"))).toMatchObject({ uid: 1234, gid: 4321, mode: 0o100640 });
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("new");
    expect(leftovers(tree)).toEqual([]);
  });

  it("writes in place what is a mount point", async ({ skip }) => {
    const { put, tree } = setup(withFile());
    writeFileSync(tree.path("mounted"), "mounted");
    if (
      !mountForTest(
        tree.path("root/dir/a.txt"),
        `mount --bind "$1/../../../mounted" "$1" || mount --bind "$(dirname "$1")/../../mounted" "$1"`,
      )
    )
      skip("mounting is not allowed here");
    expect((await put("new")).inPlace).toBe("a mount point");
    expect(readFileSync(tree.path("mounted"), "utf8")).toBe("new");
    expect(leftovers(tree)).toEqual([]);
  });

  it("leaves the old file and no other when the disk is full", async ({ skip }) => {
    const { put, tree } = setup(fixture({ root: { dir: {} } }));
    if (!mountForTest(tree.path("root/dir"), 'mount -t tmpfs -o size=256k none "$1"'))
      skip("mounting is not allowed here");
    writeFileSync(tree.path("root/dir/a.txt"), "old");
    const error: unknown = await put("x".repeat(1_000_000)).catch((caught: unknown) => caught);
    expect(errnoCode(error)).toBe("ENOSPC");
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("old");
    expect(readdirSync(tree.path("root/dir"))).toEqual(["a.txt"]);
  });

  it("writes the old bytes back when the disk gets full while writing in place", async ({ skip }) => {
    const { put, tree } = setup(fixture({ root: { dir: {} } }));
    if (!mountForTest(tree.path("root/dir"), 'mount -t tmpfs -o size=1m none "$1"'))
      skip("mounting is not allowed here");
    const old = "o".repeat(100_000);
    writeFileSync(tree.path("root/dir/a.txt"), old);
    linkSync(tree.path("root/dir/a.txt"), tree.path("root/dir/b.txt"));
    // The new file fits beside the old one once, but not a second time.
    const error: unknown = await put("n".repeat(700_000)).catch((caught: unknown) => caught);
    expect(errnoCode(error)).toBe("ENOSPC");
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8") === old).toBe(true);
    expect(readdirSync(tree.path("root/dir")).sort()).toEqual(["a.txt", "b.txt"]);
  });

  it("is refused by a read-only mount", async ({ skip }) => {
    const { put, tree } = setup(withFile());
    if (!mountForTest(tree.path("root/dir"), 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"'))
      skip("mounting is not allowed here");
    const error: unknown = await put("new").catch((caught: unknown) => caught);
    expect(errnoCode(error)).toBe("EROFS");
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("old");
  });

  it("is refused by an immutable file", async ({ skip }) => {
    const { put, tree } = setup(withFile());
    const path = tree.path("root/dir/a.txt");
    try {
      execFileSync("chattr", ["+i", path], { stdio: "ignore" });
    } catch {
      skip("this file system has no immutable bit, or chattr is missing");
    }
    onTestFinished(() => {
      execFileSync("chattr", ["-i", path]);
    });
    const error: unknown = await put("new").catch((caught: unknown) => caught);
    expect(["EPERM", "EACCES"]).toContain(errnoCode(error));
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(leftovers(tree)).toEqual([]);
  });

  it.each([
    ["a read-only file in a directory that can be written", 0o777, 0o444],
    ["a file in a read-only directory", 0o555, 0o666],
  ])("is refused for %s", async (_, directoryMode, fileMode) => {
    const { put, tree } = setup(withFile());
    chmodSync(tree.path("root/dir/a.txt"), fileMode);
    chmodSync(tree.path("root/dir"), directoryMode);
    for (const parent of [tree.root, tree.path("root")]) chmodSync(parent, 0o755);
    const error: unknown = await asNobody(() => put("new").catch((caught: unknown) => caught));
    expect(errnoCode(error)).toBe("EACCES");
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("old");
    expect(leftovers(tree)).toEqual([]);
  });
});
