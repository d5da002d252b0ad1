import { execFile } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fixture, nodeArguments, turnsDuring } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox.ts";
import { createFileVersions } from "../../src/versions.ts";
import { mountForTest } from "../mount.ts";
import { changeAll, type Wish } from "./change-all.ts";
import { treeOf } from "./tree-of.ts";

const FAULTS = fileURLToPath(new URL("set-faults.ts", import.meta.url));
const FILES = { "a.txt": "old a", "b.txt": "old b", "c.txt": "old c", dir: { "d.txt": "old d" } };
const WISHES: readonly Wish[] = [
  { path: "a.txt", text: "new a" },
  { path: "new/x.sh", text: "new x", executable: true },
  { path: "b.txt" },
  { path: "c.txt", to: "new/c.txt" },
  { path: "dir/d.txt", to: "d2.txt", text: "new d" },
];

describe("a change set", () => {
  it("lets other work have its turn between files", async () => {
    const { root } = fixture();
    const wishes = Array.from({ length: 500 }, (_, index) => ({ path: `${index}.txt`, text: "x".repeat(60_000) }));
    expect(await turnsDuring(() => changeAll(root, wishes))).toBeGreaterThan(2);
  });

  it("makes all changes, and tells the versions of the files", async () => {
    const { root, path } = fixture(FILES);
    chmodSync(path("dir/d.txt"), 0o751);
    const versions = createFileVersions();
    const { written } = await changeAll(root, WISHES, { versions });
    const umask = process.umask(0o022);
    process.umask(umask);
    const mask = 0o777 & ~umask;
    expect(treeOf(root)).toEqual({
      "a.txt": "file 644 new a",
      dir: "directory 755",
      new: "directory 755",
      "new/x.sh": `file ${mask.toString(8)} new x`,
      "new/c.txt": "file 644 old c",
      "d2.txt": "file 751 new d",
    });
    expect(written.map(({ version }) => version?.size)).toEqual([5n, 5n, undefined, 5n, 5n]);
    const sandbox = createSandbox({ projectRoot: root });
    // What was only moved is known as well as it was before: not at all.
    expect(versions.known(await sandbox.resolve("new/c.txt"))).toBeUndefined();
    for (const name of ["a.txt", "d2.txt"]) {
      const file = await sandbox.resolveFile(name);
      expect(versions.known(file.path)?.version).toEqual(file.version);
      file.close();
    }
  });

  // Rule: If one change of a set fails, none is made.
  it.each<[string, string, (path: (name: string) => string) => void]>([
    [
      "is modified meanwhile",
      "CONFLICT",
      (path) => {
        writeFileSync(path("dir/d.txt"), "theirs");
      },
    ],
    [
      "vanishes meanwhile",
      "CONFLICT",
      (path) => {
        rmSync(path("dir/d.txt"));
      },
    ],
    [
      "is taken meanwhile",
      "CONFLICT",
      (path) => {
        writeFileSync(path("d2.txt"), "theirs");
      },
    ],
    [
      "becomes a directory meanwhile",
      "CONFLICT",
      (path) => {
        mkdirSync(path("d2.txt"));
      },
    ],
    [
      "loses its directory meanwhile",
      "NOT_FOUND",
      (path) => {
        rmSync(path("dir"), { recursive: true });
      },
    ],
  ])("makes none if the last file %s", async (_, code, interfere) => {
    const { root, path } = fixture(FILES);
    let before = {};
    const meanwhile = () => {
      interfere(path);
      before = treeOf(root);
    };
    await expect(changeAll(root, WISHES, { meanwhile })).rejects.toMatchObject({ code });
    expect(treeOf(root)).toEqual(before);
  });

  it(
    "leaves the old tree or the new one, and no other file, whatever call of the disk fails",
    { timeout: 60_000 },
    async () => {
      const args = [...nodeArguments(FAULTS), fixture({}).root];
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
      const runs = JSON.parse(stdout) as { failed: string; error: string; tree: string }[];
      const [first, last] = [runs.find(({ error }) => error !== ""), runs.at(-1)];
      expect(last).toMatchObject({ failed: "", error: "" });
      expect(first?.tree).not.toBe(last?.tree);
      for (const { error, tree } of runs) expect(tree).toBe(error === "" ? last?.tree : first?.tree);
      for (const name of ["openSync", "writeSync", "fsync", "linkSync", "renameSync", "unlinkSync"]) {
        expect(runs.map(({ failed }) => failed)).toContain(name);
      }
    },
  );

  it("names what could not be taken back, since somebody has changed it meanwhile", async () => {
    const { root, path } = fixture(FILES);
    const record = {
      open: () => undefined,
      keep: () => Promise.resolve([]),
      flush: () => Promise.resolve(),
      commit: () => {
        writeFileSync(path("a.txt"), "theirs");
        return Promise.reject(new Error("The disk is full."));
      },
      close: () => undefined,
      settle: () => Promise.resolve(),
    };
    const history = { take: () => ({ ready: () => Promise.resolve(), record: () => record }) };
    await expect(changeAll(root, WISHES, { history })).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      hint: "'a.txt' could not be taken back, since somebody has changed it meanwhile; all else is as it was. Look at it, and tell the user.",
    });
    expect(readFileSync(path("a.txt"), "utf8")).toBe("theirs");
    expect(readFileSync(path("b.txt"), "utf8")).toBe("old b");
  });

  it("is asked about once, with all its files", async () => {
    const { root } = fixture(FILES);
    const asked: unknown[] = [];
    await changeAll(root, WISHES, {
      confirm: (change) => {
        asked.push(change);
        return true;
      },
    });
    const paths = ["a.txt", "new/x.sh", "b.txt", "new/c.txt", "d2.txt"];
    expect(asked).toEqual([{ tool: "Set", paths, operation: "patch", diff: "the diff" }]);
    const before = treeOf(root);
    await expect(
      changeAll(root, [{ path: "a.txt" }, { path: "d2.txt" }], { confirm: () => false }),
    ).rejects.toMatchObject({ code: "ACCESS_DENIED", message: "The user declined the change to 'a.txt' and 1 more." });
    expect(treeOf(root)).toEqual(before);
  });

  it("keeps the other names of a file that is written in place, and puts its content back", async () => {
    const { root, path } = fixture(FILES);
    linkSync(path("a.txt"), path("other"));
    const before = treeOf(root);
    const interfere = () => {
      rmSync(path("b.txt"));
    };
    await expect(changeAll(root, WISHES, { meanwhile: interfere })).rejects.toMatchObject({ code: "CONFLICT" });
    expect(treeOf(root)).toEqual({ ...before, "b.txt": undefined });
    expect(readFileSync(path("other"), "utf8")).toBe("old a");
  });

  it("moves a file to another file system", async ({ skip }) => {
    const { root, path } = fixture({ "a.txt": "old a", mounted: {} });
    if (!mountForTest(path("mounted"), 'mount -t tmpfs none "$1"')) skip("mounting is not allowed here");
    chmodSync(path("a.txt"), 0o640);
    await changeAll(root, [{ path: "a.txt", to: "mounted/b.txt" }]);
    expect(treeOf(root)).toMatchObject({ "mounted/b.txt": "file 640 old a" });
    expect(treeOf(root)).not.toHaveProperty("a.txt");
  });

  it("does what it says, whatever it is, or nothing", { timeout: 60_000 }, async () => {
    const names = ["a", "b", "c", "d/e", "d/f"];
    const text = fc.string({ maxLength: 3 });
    const wish = fc.oneof(
      fc.record({ path: fc.constantFrom(...names, "new", "d/new", "x/y/z"), text }),
      fc.record({ path: fc.constantFrom(...names) }),
      fc.record({ path: fc.constantFrom(...names), to: fc.constantFrom("n/1", "n/2", "d/3", "4") }),
      fc.record({ path: fc.constantFrom(...names), to: fc.constantFrom("m/1", "m/2", "d/m", "m4"), text }),
    );
    const set = fc.uniqueArray(wish, { minLength: 1, maxLength: 6, selector: ({ path }) => path }).filter((wishes) => {
      const targets = wishes.flatMap((one) => ("to" in one ? [one.to] : []));
      return new Set(targets).size === targets.length;
    });
    await fc.assert(
      fc.asyncProperty(set, fc.boolean(), async (wishes, isSpoiled) => {
        const { root, path, cleanup } = fixture({ a: "A", b: "B", c: "C", d: { e: "E", f: "F" }, spoiled: "S" });
        const all = [...wishes, { path: "spoiled" }];
        let before = {};
        const outcome = changeAll(root, all, {
          meanwhile: () => {
            if (isSpoiled) writeFileSync(path("spoiled"), "changed");
            before = treeOf(root);
          },
        });
        if (isSpoiled) {
          await expect(outcome).rejects.toMatchObject({ code: "CONFLICT" });
          expect(treeOf(root)).toEqual(before);
        } else {
          await outcome;
          const expected = new Map([
            ["a", "A"],
            ["b", "B"],
            ["c", "C"],
            ["d/e", "E"],
            ["d/f", "F"],
          ]);
          const old = new Map(expected);
          for (const one of wishes) {
            if ("to" in one || !("text" in one)) expected.delete(one.path);
            const content = "text" in one ? one.text : old.get(one.path);
            if ("to" in one || "text" in one) expected.set("to" in one ? one.to : one.path, content ?? "");
          }
          const files = Object.entries(treeOf(root)).filter(([, entry]) => entry.startsWith("file"));
          const bytes = [...expected].map(([name, content]) => [
            name,
            `file 644 ${Buffer.from(content).toString("latin1")}`,
          ]);
          expect(Object.fromEntries(files)).toEqual(Object.fromEntries(bytes));
        }
        cleanup();
      }),
      { numRuns: 100 },
    );
  });
});
