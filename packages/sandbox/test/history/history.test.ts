import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { asNobody, conformant, fixture, link, nodeArguments } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { beginning, createLog, outcome, ownIdentity, type Beginning } from "../../src/history/log.ts";
import { createHistory, type History, type HistoryOptions } from "../../src/history/history.ts";
import { createSandbox, type SandboxOptions } from "../../src/sandbox.ts";
import { mountForTest } from "../mount.ts";
import { changeAll, type Wish } from "../write/change-all.ts";
import { treeOf } from "../write/tree-of.ts";
import { changeEntry } from "./change-entry.ts";

const FILES = { "a.txt": "old a", "b.txt": "old b", "link.txt": link("a.txt"), dir: { "c.txt": "old c", in: {} } };

interface HostileEffect {
  readonly path?: string;
  readonly temporary?: string;
  readonly missing?: readonly string[];
}

/** A line as a log has it, with the sum that belongs to it. */
function lineOf(id: string, kind: string, json: string): string {
  const sum = createHash("sha256").update(`${id} ${kind} ${json}`).digest("hex").slice(0, 16);
  return `${kind} ${sum} ${json}\n`;
}

function project(more: Partial<HistoryOptions & SandboxOptions> = {}) {
  const { path } = fixture({ project: FILES });
  chmodSync(path("project/b.txt"), 0o751);
  const history = createHistory({ directory: path("history"), ...more });
  const sandbox = createSandbox({ projectRoot: path("project"), ...more });
  return {
    path,
    history,
    sandbox,
    tree: () => treeOf(path("project")),
    change: (wishes: readonly Wish[]) => changeAll(sandbox, wishes, { history }),
    entry: (operation: "move" | "copy" | "delete", from: string, to?: string) =>
      changeEntry(sandbox, { operation, path: from, ...(to === undefined ? {} : { to }) }, { history }),
    undo: async (change?: Parameters<History["undo"]>[0]) =>
      conformant(await history.undo(change ?? (await history.changes())[0]?.id ?? ""), "edit"),
  };
}

describe("a history", () => {
  // Rule: An undo puts back exactly what was there, modes and links included, and can be undone itself.
  it("lists changes, undoes them, and undoes that", async () => {
    const { tree, change, undo, history } = project();
    const before = tree();
    await change([
      { path: "a.txt", text: "new a" },
      { path: "b.txt" },
      { path: "x/y/new.txt", text: "new" },
      { path: "dir/c.txt", to: "moved.txt" },
    ]);
    const after = tree();
    expect(await history.changes()).toMatchObject([
      {
        tool: "Set",
        files: [
          { path: "a.txt", operation: "update" },
          { path: "b.txt", operation: "delete" },
          { path: "x/y/new.txt", operation: "create" },
          { path: "moved.txt", operation: "move", from: "dir/c.txt" },
        ],
      },
    ]);
    const undone = await undo();
    expect(undone.text.replace(/\d+ms/u, "0ms")).toMatchInlineSnapshot(`
      "Undid 1 change (4 files).
      (Took 0ms)

      M a.txt
      A b.txt
      D x/y/new.txt
      R moved.txt -> dir/c.txt"
    `);
    expect(undone.data).toMatchInlineSnapshot(`
      {
        "applied": true,
        "diff_preview": "diff --git a/a.txt b/a.txt
      --- a/a.txt
      +++ b/a.txt
      @@ -1,1 +1,1 @@
      -new a
      \\ No newline at end of file
      +old a
      \\ No newline at end of file
      diff --git a/b.txt b/b.txt
      new file mode 100644
      --- /dev/null
      +++ b/b.txt
      @@ -0,0 +1,1 @@
      +old b
      \\ No newline at end of file
      diff --git a/x/y/new.txt b/x/y/new.txt
      deleted file mode 100644
      --- a/x/y/new.txt
      +++ /dev/null
      @@ -1,1 +0,0 @@
      -new
      \\ No newline at end of file
      diff --git a/moved.txt b/dir/c.txt
      rename from moved.txt
      rename to dir/c.txt
      ",
        "diff_truncated": false,
        "files": [
          {
            "lines_added": 1,
            "lines_removed": 1,
            "operation": "update",
            "path": "a.txt",
          },
          {
            "lines_added": 1,
            "lines_removed": 0,
            "operation": "create",
            "path": "b.txt",
          },
          {
            "lines_added": 0,
            "lines_removed": 1,
            "operation": "delete",
            "path": "x/y/new.txt",
          },
          {
            "from": "moved.txt",
            "lines_added": 0,
            "lines_removed": 0,
            "operation": "move",
            "path": "dir/c.txt",
          },
        ],
        "operation": "undo",
      }
    `);
    expect(tree()).toEqual(before);
    await undo();
    expect(tree()).toEqual(after);
    expect((await history.changes()).map(({ tool }) => tool)).toEqual(["Undo", "Undo", "Set"]);
    expect(history.unfinished).toEqual([]);
  });

  it("undoes whatever happened to directories, links and modes, one change or all", { timeout: 60_000 }, async () => {
    const paths = ["a.txt", "b.txt", "link.txt", "dir", "dir/c.txt", "dir/in", "new", "new/deep", "other"] as const;
    const path = fc.constantFrom(...paths);
    const change = fc.oneof(
      fc.record({ path, text: fc.string({ maxLength: 3 }) }),
      fc.record({ operation: fc.constantFrom("move", "copy"), path, to: path }),
      fc.record({ operation: fc.constant("delete"), path }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (wishes) => {
        const { tree, change, entry, undo, history } = project();
        const trees = [tree()];
        for (const wish of wishes) {
          try {
            if ("text" in wish) await change([wish]);
            else await entry(wish.operation, wish.path, "to" in wish ? wish.to : undefined);
            trees.push(tree());
          } catch {
            // Not everything is possible.
            expect(tree()).toEqual(trees.at(-1));
          }
        }
        const changes = await history.changes();
        expect(changes).toHaveLength(trees.length - 1);
        const [last, first] = [changes[0], changes.at(-1)];
        if (first === undefined || last === undefined) return;
        expect((await undo(last.id)).status).not.toBe("error");
        expect(tree()).toEqual(trees.at(-2));
        await undo();
        expect(tree()).toEqual(trees.at(-1));
        const all = await undo({ since: first.id });
        expect(all.status, all.text).not.toBe("error");
        expect(tree()).toEqual(trees[0]);
        await undo();
        expect(tree()).toEqual(trees.at(-1));
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});

describe("an undo", () => {
  // Rule: An undo destroys nobody's work: if a file is not as the tools left it, nothing is undone, and the answer names it.
  it.each<[string, (path: (name: string) => string) => void, string]>([
    [
      "was written to",
      (path) => {
        writeFileSync(path("a.txt"), "new A");
      },
      "'a.txt'",
    ],
    [
      "has another mode",
      (path) => {
        chmodSync(path("a.txt"), 0o600);
      },
      "'a.txt'",
    ],
    [
      "is gone",
      (path) => {
        rmSync(path("a.txt"));
      },
      "'a.txt'",
    ],
    [
      "is a link by now",
      (path) => {
        rmSync(path("a.txt"));
        symlinkSync("b.txt", path("a.txt"));
      },
      "'a.txt'",
    ],
    [
      "is there again",
      (path) => {
        writeFileSync(path("b.txt"), "theirs");
      },
      "'b.txt'",
    ],
    [
      "has its old name taken",
      (path) => {
        writeFileSync(path("dir/c.txt"), "theirs");
      },
      "'dir/c.txt'",
    ],
    [
      "lies behind a link",
      (path) => {
        renameSync(path("x"), path("y"));
        symlinkSync("y", path("x"));
      },
      "'x/new.txt'",
    ],
    [
      "changed, with another",
      (path) => {
        writeFileSync(path("a.txt"), "A");
        rmSync(path("x/new.txt"));
      },
      "'a.txt', 'x/new.txt'",
    ],
  ])("is refused if a file %s", async (_, interfere, names) => {
    const { path, tree, change, undo } = project();
    await change([
      { path: "a.txt", text: "new a" },
      { path: "b.txt" },
      { path: "x/new.txt", text: "new" },
      { path: "dir/c.txt", to: "moved.txt" },
    ]);
    interfere((name) => path("project", name));
    const before = tree();
    const { error, text } = await undo();
    expect(error).toEqual({ code: "CONFLICT", message: `Changed since then: ${names}.` });
    expect(text).toContain("Nothing was undone.");
    expect(tree()).toEqual(before);
  });

  it("of a moved directory is refused if something in it changed", async () => {
    const { path, entry, undo } = project();
    await entry("move", "dir", "new");
    writeFileSync(path("project/new/c.txt"), "OLD C");
    writeFileSync(path("project/new/in/theirs"), "");
    expect((await undo()).error?.message).toBe("Changed since then: 'new/c.txt', 'new/in/theirs'.");
  });

  it("of several changes does nothing if one of them can't be undone", async () => {
    const { path, tree, change, undo, history } = project();
    await change([{ path: "a.txt", text: "1" }]);
    await change([{ path: "b.txt", text: "2" }]);
    await change([{ path: "b.txt", text: "3" }]);
    writeFileSync(path("project/a.txt"), "theirs");
    const before = tree();
    const changes = await history.changes();
    expect((await undo({ since: changes.at(-1)?.id ?? "" })).error?.message).toBe("Changed since then: 'a.txt'.");
    expect(tree()).toEqual(before);
    expect(await history.changes()).toEqual(changes);
  });

  it("takes a file that was written again with the same content for what it was", async () => {
    const { path, tree, change, undo } = project();
    const before = tree();
    await change([{ path: "a.txt", text: "new a" }]);
    rmSync(path("project/a.txt"));
    writeFileSync(path("project/a.txt"), "new a");
    expect((await undo()).status).toBe("success");
    expect(tree()).toEqual(before);
  });

  it("keeps directories that were made, if something else is in them", async () => {
    const { path, tree, change, undo } = project();
    const before = tree();
    await change([{ path: "x/y/new.txt", text: "new" }]);
    writeFileSync(path("project/x/theirs"), "");
    await undo();
    expect(tree()).toEqual({ ...before, x: "directory 755", "x/theirs": "file 644 " });
  });

  it("obeys today's rules", async () => {
    const { path, tree, change, history } = project();
    await change([
      { path: "a.txt", text: "new a" },
      { path: "dir/c.txt", text: "new c" },
    ]);
    const before = tree();
    const [{ id } = { id: "" }] = await history.changes();
    for (const rules of [{ deny: ["a.txt"] }, { protect: ["dir"] }]) {
      const own = createHistory({ directory: path("history") });
      own.take(createSandbox({ projectRoot: path("project"), ...rules }));
      expect((await own.undo(id)).error?.message).toMatch(/^Writing to '.*' is not allowed\.$/u);
    }
    expect(tree()).toEqual(before);
  });

  it.each(["delete", "move"] as const)(
    "obeys today's rules on what is in a directory, after a %s",
    async (operation) => {
      const { path, tree, entry, history } = project();
      await entry(operation, "dir", ...(operation === "move" ? ["to"] : []));
      const before = tree();
      const [{ id } = { id: "" }] = await history.changes();
      for (const rules of [{ deny: ["dir/c.txt"] }, { protect: ["dir/c.txt"] }]) {
        const own = createHistory({ directory: path("history") });
        own.take(createSandbox({ projectRoot: path("project"), ...rules }));
        expect((await own.undo(id)).error?.message).toBe("Writing to 'dir' is not allowed.");
      }
      expect(tree()).toEqual(before);
    },
  );

  it("answers with an envelope, whatever it is given", async () => {
    const { history } = project();
    for (const given of [undefined, null, 5, {}, [], { id: 3 }, { since: 5 }, "..", "../x", "a\0b"]) {
      // @ts-expect-error -- from a host without types
      const answer = conformant(await history.undo(given), "edit");
      expect(["INVALID_PARAM", "NOT_FOUND"]).toContain(answer.error?.code);
    }
  });

  it("knows the changes of its own projects only", async () => {
    const { path, change, history } = project();
    await change([{ path: "a.txt", text: "new a" }]);
    const [{ id } = { id: "" }] = await history.changes();
    const other = createHistory({ directory: path("history") });
    other.take(createSandbox({ projectRoot: fixture({}).root }));
    expect(await other.changes()).toEqual([]);
    expect((await other.undo(id)).error).toEqual({ code: "NOT_FOUND", message: `There is no change '${id}'.` });
    other.take(createSandbox({ projectRoot: path("project") }));
    expect(await other.changes()).toHaveLength(1);
  });

  it("works in a project of several directories, and obeys their access", async () => {
    const { path } = fixture({ one: { "a.txt": "a", dir: { "b.txt": "b" } }, two: { "c.txt": "c" } });
    const before = treeOf(path());
    const history = createHistory({ directory: path("history") });
    const sandbox = createSandbox({ roots: [{ path: path("one") }, { path: path("two") }] });
    await changeAll(
      sandbox,
      [
        { path: "one/a.txt", text: "A" },
        { path: "two/c.txt", to: "one/c.txt" },
      ],
      { history },
    );
    await changeEntry(sandbox, { operation: "move", path: "one/dir", to: "two/dir" }, { history });
    const [move, set] = await history.changes({ path: "one" });
    expect(move?.files).toEqual([{ path: "two/dir", operation: "move", from: "one/dir" }]);
    const reading = createHistory({ directory: path("history") });
    reading.take(createSandbox({ roots: [{ path: path("one") }, { path: path("two"), access: "read" }] }));
    expect((await reading.undo(set?.id ?? "")).error?.message).toBe("Writing to 'two/c.txt' is not allowed.");
    const alone = createHistory({ directory: path("history") });
    alone.take(createSandbox({ projectRoot: path("one") }));
    expect(await alone.changes()).toEqual([]);
    const { data } = await history.undo({ since: set?.id ?? "" });
    expect(data).toMatchObject({ files: [{ path: "one/a.txt" }, { path: "one/dir" }, { path: "two/c.txt" }] });
    rmSync(path("history"), { recursive: true });
    expect(treeOf(path())).toEqual(before);
  });

  it("restores what was before a formatter that ran after the change, for files that moved too", async () => {
    const { path, tree, sandbox, history, undo } = project();
    const before = tree();
    const format = ({ files }: { readonly files: readonly { readonly path: string }[] }) => {
      for (const file of files) writeFileSync(path("project", file.path), "formatted");
    };
    await changeAll(
      sandbox,
      [
        { path: "a.txt", text: "new a" },
        { path: "x/new.txt", text: "new" },
      ],
      {
        history,
        afterChange: format,
      },
    );
    await changeAll(sandbox, [{ path: "dir/c.txt", to: "moved.txt" }], {
      history,
      afterChange: format,
    });
    const changes = await history.changes();
    expect((await undo({ since: changes.at(-1)?.id ?? "" })).error).toBeUndefined();
    expect(tree()).toEqual(before);
  });

  it("lists a file that was moved and changed as moved", async () => {
    const { tree, change, undo, history } = project();
    const before = tree();
    await change([{ path: "a.txt", to: "x/new.txt", text: "new a" }]);
    const files = [{ path: "x/new.txt", operation: "move", from: "a.txt" }];
    expect(await history.changes()).toMatchObject([{ files }]);
    expect(await history.changes({ path: "a.txt" })).toHaveLength(1);
    await undo();
    expect(tree()).toEqual(before);
  });

  it("lists the changes of a path", async () => {
    const { change, history } = project();
    await change([{ path: "a.txt", text: "new a" }]);
    await change([{ path: "dir/c.txt", text: "new c" }]);
    const count = async (options: { path?: string; limit?: number }) => (await history.changes(options)).length;
    expect(await count({ path: "./a.txt" })).toBe(1);
    expect(await count({ path: "dir/" })).toBe(1);
    expect(await count({ path: "dir/c.txt/x" })).toBe(1);
    expect(await count({ path: "di" })).toBe(0);
    expect(await count({ limit: 1 })).toBe(1);
  });
});

describe("the directory of a history", () => {
  it("holds each content once, for this user alone", async () => {
    const { path, change } = project();
    for (const text of ["1", "old a", "1"]) await change([{ path: "a.txt", text }]);
    await change([{ path: "b.txt", text: "1" }]);
    const contents = readdirSync(path("history/kept")).map((name) => readFileSync(path("history/kept", name), "utf8"));
    expect(contents.sort()).toEqual(["1", "old a", "old b"]);
    expect(lstatSync(path("history")).mode & 0o777).toBe(0o700);
    for (const [name, entry] of Object.entries(treeOf(path("history")))) {
      expect(`${name} ${entry}`).toMatch(/directory 700$|file 600 /u);
    }
  });

  it.each<[string, (path: (name: string) => string) => void, string]>([
    [
      "is a link",
      (path) => {
        mkdirSync(path("real"));
        symlinkSync("real", path("history"));
      },
      "is a link",
    ],
    [
      "can be written by others",
      (path) => {
        mkdirSync(path("history"));
        chmodSync(path("history"), 0o777);
      },
      "can be written by others",
    ],
    [
      "has a part that is a link",
      (path) => {
        mkdirSync(path("history"), 0o700);
        symlinkSync("..", path("history/kept"));
      },
      "is a link",
    ],
  ])("is refused if it %s", (_, make, why) => {
    const { path } = fixture({});
    make(path);
    expect(() => createHistory({ directory: path("history") })).toThrow(why);
  });

  it.runIf(process.getuid?.() === 0)("is refused if it belongs to another user", async () => {
    const { path } = fixture({ history: {} });
    await asNobody(() => {
      expect(() => createHistory({ directory: path("history") })).toThrow("belongs to another user");
    });
  });

  it("is refused if it lies in a project", () => {
    const { path } = fixture({});
    const history = createHistory({ directory: path("history") });
    expect(() => history.take(createSandbox({ projectRoot: path() }))).toThrow("cannot be inside a project");
    expect(() => createHistory({ directory: path("other"), maxBytes: 0 })).toThrow(RangeError);
    expect(() => createHistory({ directory: "" })).toThrow(TypeError);
  });

  // Rule: A damaged history loses what is damaged, and nothing else.
  it("may be damaged: the rest is listed and can be undone, and nothing wrong is put back", async () => {
    const { path, tree, change, undo, history } = project();
    const before = tree();
    for (const name of ["a.txt", "b.txt", "dir/c.txt"]) await change([{ path: name, text: `new ${name}` }]);
    const [third, second, first] = await history.changes();
    const log = path("history/done", second?.id ?? "");
    writeFileSync(log, readFileSync(log, "latin1").replace("b.txt", "B.txt"));
    for (const name of readdirSync(path("history/kept"))) {
      const content = path("history/kept", name);
      if (readFileSync(content, "utf8") === "old a") writeFileSync(content, "OLD a");
    }
    appendFileSync(path("history/done", third?.id ?? ""), "again 0 {}\nnoise\n");
    expect((await history.changes()).map(({ id }) => id)).toEqual([third?.id, first?.id]);
    expect((await undo(second?.id)).error?.code).toBe("NOT_FOUND");
    const after = tree();
    expect((await undo(first?.id)).error).toEqual({
      code: "EXECUTION_ERROR",
      message: "What was at 'a.txt' is not in the history.",
    });
    expect(tree()).toEqual(after);
    expect((await undo(third?.id)).status).toBe("success");
    expect(tree()["dir/c.txt"]).toBe(before["dir/c.txt"]);
  });

  it("may hold what is no log", async () => {
    const { path, change, history } = project();
    await change([{ path: "a.txt", text: "new a" }]);
    for (const directory of ["kept", "done"]) {
      const place = (number: number) => path("history", directory, `0zzzzzzz${number}-00000000`);
      mkdirSync(place(1));
      symlinkSync("/dev/zero", place(2));
      symlinkSync("nowhere", place(3));
      execFileSync("mkfifo", [place(4)]);
      writeFileSync(place(5), Buffer.alloc(100, 255));
      writeFileSync(place(6), lineOf("0zzzzzzz6-00000000", "begin", "{"));
      writeFileSync(place(7), lineOf("0zzzzzzz7-00000000", "begin", "[]"));
    }
    expect(await history.changes()).toHaveLength(1);
    expect(history.unfinished).toEqual([]);
    expect((await history.undo("0zzzzzzz6-00000000")).error?.code).toBe("NOT_FOUND");
    expect((await history.undo((await history.changes())[0]?.id ?? "")).status).toBe("success");
  });

  // Rule: No line of a log makes an undo or a recovery change anything outside the project, or what its rules protect.
  it.each<readonly [string, object, object]>([
    ["a path outside", { path: "../new" }, { path: "." }],
    ["a path that goes up", { path: "x/../../new" }, { path: "." }],
    ["an entry above", { path: "new" }, { path: "../../new" }],
    ["an entry that goes up", { path: "new" }, { path: "x/../../../new" }],
    ["an absolute entry", { path: "new" }, { path: "/new" }],
    ["a protected entry", { path: "new" }, { path: ".git" }],
    ["a protected path", { path: ".git/new" }, { path: "." }],
    ["a hash that is a path", { path: "new" }, { path: ".", hash: "../done" }],
    ["a made directory above", { path: "a.txt", missing: ["../empty", "."] }, { path: "." }],
    ["a temporary name above", { path: "new", temporary: "x/../../kept" }, { path: "." }],
  ])("may name %s: it is not touched", async (_, { path: to, temporary, missing = [] }: HostileEffect, entry) => {
    const { path, change, history } = project();
    await change([{ path: "a.txt", text: "new a" }]);
    for (const name of ["empty", "kept.tmp", "project/.fstools-x", "project/.git"]) mkdirSync(path(name));
    const [{ id } = { id: "" }] = await history.changes();
    const lines = readFileSync(path("history/done", id), "utf8").split("\n");
    const [begin = "", ready = ""] = lines.map((line) => line.split(" ").slice(2).join(" "));
    const begun = beginning().parse(JSON.parse(begin));
    const was = outcome().parse(JSON.parse(ready)).effects[0]?.before?.[0];
    const effects = [{ path: `${path("project")}/${to}`, missing: missing.map((one) => `${path("project")}/${one}`) }];
    const top = { path: ".", kind: "directory", mode: 0o755, size: 0 };
    const state = { ...was, ...entry };
    const before = "path" in entry && entry.path === "." ? [state] : [top, state];
    const pretend = (directory: string, number: number) => {
      const hostile = `0zzzzzzz${number}-00000000`;
      const process = { ...begun.process, pid: 2 ** 30 };
      const started = { ...begun, effects, temporary: temporary ?? begun.temporary, process };
      const text =
        lineOf(hostile, "begin", JSON.stringify(started)) +
        lineOf(hostile, "ready", JSON.stringify({ effects: [{ before }] }));
      const end = directory === "done" ? lineOf(hostile, "done", "{}") : "";
      writeFileSync(path("history", directory, hostile), text + end);
      return hostile;
    };
    const outside = () => readdirSync(path()).sort();
    const all = outside();
    expect((await history.undo(pretend("done", 1))).error).toBeDefined();
    pretend("kept", 2);
    await history.take(createSandbox({ projectRoot: path("project") })).ready();
    expect(outside()).toEqual(all);
    expect(readdirSync(path("project/.git"))).toEqual([]);
    expect(readFileSync(path("project/a.txt"), "utf8")).toBe("new a");
  });
});

describe("a history with bounds", () => {
  it("loses the oldest changes", async () => {
    const { path, change, history } = project({ maxBytes: 20_000 });
    // So many changes at once have times that are ahead of the clock.
    const log = createLog({ open: path("history/kept"), done: path("history/done") });
    for (let count = 0; count < 2000; count += 1) log.start().close(false);
    for (let count = 0; count < 30; count += 1) await change([{ path: "a.txt", text: String(count).padEnd(1000) }]);
    const changes = await history.changes();
    expect(changes.length).toBeGreaterThan(5);
    expect(changes.length).toBeLessThan(20);
    const bytes = Object.keys(treeOf(path("history"))).reduce(
      (sum, name) => sum + lstatSync(path("history", name)).size,
      0,
    );
    expect(bytes - 4 * lstatSync(path("history/done")).size).toBeLessThan(25_000);
    const undone = await history.undo({ since: changes.at(-1)?.id ?? "" });
    expect(undone.status, undone.text).toBe("success");
  });

  it("loses what is too old when it is next used after an hour", async () => {
    const { path, change } = project();
    await change([{ path: "a.txt", text: "new a" }]);
    const [id = ""] = readdirSync(path("history/done"));
    const old = Date.now() - 8 * 86_400_000;
    renameSync(path("history/done", id), path("history/done", old.toString(36).padStart(9, "0") + id.slice(9)));
    for (const name of readdirSync(path("history/kept")))
      utimesSync(path("history/kept", name), old / 1000, old / 1000);
    const history = createHistory({ directory: path("history") });
    await changeAll(createSandbox({ projectRoot: path("project") }), [{ path: "b.txt", text: "new b" }], { history });
    expect(await history.changes()).toHaveLength(1);
    expect(readdirSync(path("history/kept"))).toHaveLength(1);
  });

  // Rule: What cannot be kept is not changed, unless the host says that it may be.
  it("refuses a change whose old content is too large, or lets it happen with a note", async () => {
    const { path, tree, change, entry } = project({ maxBytes: 10 });
    writeFileSync(path("project/large.txt"), "x".repeat(11));
    const before = tree();
    const message = "'large.txt' is too large to be restored later (11 bytes, at most 10).";
    await expect(change([{ path: "large.txt", text: "" }])).rejects.toMatchObject({ code: "INVALID_PARAM", message });
    await expect(entry("delete", "large.txt")).rejects.toMatchObject({ message });
    await expect(
      change([{ path: "a.txt", text: "1" }, { path: "b.txt", text: "2" }, { path: "dir/c.txt" }]),
    ).rejects.toMatchObject({
      message: "'dir/c.txt' is too large to be restored later (15 bytes, at most 10).",
    });
    expect(tree()).toEqual(before);
    const optional = createHistory({ directory: path("history"), maxBytes: 10, optional: true });
    const sandbox = createSandbox({ projectRoot: path("project") });
    const { written } = await changeAll(sandbox, [{ path: "large.txt", text: "" }], { history: optional });
    expect(written[0]?.notes).toEqual([`Note: ${message}`]);
    const [change_] = await optional.changes();
    expect((await optional.undo(change_?.id ?? "")).error?.message).toBe(
      "What was at 'large.txt' is not in the history.",
    );
  });

  it("refuses to remove what cannot be made again", async () => {
    const { path, entry, tree } = project();
    mkdirSync(path("project/odd"));
    execFileSync("mkfifo", [path("project/odd/fifo")]);
    const before = tree();
    await expect(entry("delete", "odd")).rejects.toMatchObject({
      message: "'odd' cannot be restored later - it is, or holds, a FIFO, socket or device.",
    });
    expect(tree()).toEqual(before);
  });

  it("refuses a change if its disk is full, or lets it happen with a note", async ({ skip }) => {
    const { path } = fixture({ project: FILES, full: {} });
    if (!mountForTest(path("full"), 'mount -t tmpfs -o size=64k none "$1"')) skip("mounting is not allowed here");
    chmodSync(path("full"), 0o700);
    writeFileSync(path("project/large.txt"), "x".repeat(100_000));
    const before = treeOf(path("project"));
    const sandbox = createSandbox({ projectRoot: path("project") });
    const write = (optional: boolean) =>
      changeAll(sandbox, [{ path: "large.txt", text: "" }], {
        history: createHistory({ directory: path("full"), optional }),
      });
    await expect(write(false)).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      message: "'large.txt' cannot be restored later - ENOSPC: no space left on device.",
    });
    expect(treeOf(path("project"))).toEqual(before);
    const { written } = await write(true);
    expect(written[0]?.notes).toEqual([
      "Note: 'large.txt' cannot be restored later - ENOSPC: no space left on device.",
    ]);
    expect(treeOf(path("project"))["large.txt"]).toBe("file 644 ");
  });
});

const FAULTS = fileURLToPath(new URL("history-faults.ts", import.meta.url));

describe("a history on a disk that fails", () => {
  it.each(["set", "delete", "undo"])(
    "leaves the old tree or the new one of a %s, and no other file, whatever call fails",
    { timeout: 120_000 },
    async (what) => {
      const args = [...nodeArguments(FAULTS), fixture({}).root, what];
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
      const runs = JSON.parse(stdout) as {
        failed: string;
        error: string;
        tree: string;
        recovered: string;
        changes: number;
        left: number;
      }[];
      const [first, last] = [runs.find(({ error }) => error !== ""), runs.at(-1)];
      expect(last).toMatchObject({ failed: "", error: "", left: 0 });
      expect(first?.tree).not.toBe(last?.tree);
      for (const { failed, error, tree, recovered, changes, left } of runs) {
        const whole = error === "" ? last : first;
        expect({ failed, error, tree, recovered }).toEqual({
          failed,
          error,
          tree: whole?.tree,
          recovered: whole?.tree,
        });
        expect({ failed, error, changes, left }).toEqual({ failed, error, changes: whole?.changes, left: 0 });
      }
      // Of an undo's calls only every fourth fails: which ones depends on how many there are.
      const writing = what === "undo" ? [] : ["writeFileSync", "renameSync", "unlinkSync"];
      for (const name of ["openSync", ...writing, ...(what === "set" ? ["fsync"] : [])]) {
        expect(runs.map(({ failed }) => failed)).toContain(name);
      }
    },
  );
});

const WRITER = fileURLToPath(new URL("history-writer.ts", import.meta.url));
const NAMES = Array.from({ length: 20 }, (_, index) => `${index}.txt`);

/** Starts a process that changes the files of a project, all alike, and removes and restores a directory. */
function startWriter(root: string, directory: string, prefix = "") {
  const args = [...nodeArguments(WRITER), root, directory, prefix];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

describe("a history of a process that is killed", () => {
  it("is left alone while another thread of this process is at work", async () => {
    const { path } = fixture({ open: {}, done: {} });
    const directories = { open: path("open"), done: path("done") };
    const begun: Beginning = {
      ...{ tool: "Set", durable: false, temporary: "0".repeat(16) },
      ...{ roots: [path()], process: ownIdentity(), effects: [] },
    };
    const entry = createLog(directories).start();
    entry.append("begin", begun);
    vi.resetModules();
    const other = await import("../../src/history/log.ts");
    const isAbandoned = () => [...other.createLog(directories).entries("open")].map((one) => one.isAbandoned());
    expect(isAbandoned()).toEqual([false]);
    utimesSync(path("open", entry.id), 0, Date.now() / 1000 - 61);
    expect(isAbandoned()).toEqual([true]);
    entry.close(false);
  });

  // Rule: A set that a killed process left half done is put back before the next call.
  it("is put back before the next call of whoever takes it", { timeout: 180_000 }, async () => {
    const files = Object.fromEntries(NAMES.map((name) => [name, "0"]));
    const dir = { "a.txt": "a", in: { "b.txt": "b", link: link("../a.txt") } };
    const { path } = fixture({ project: { ...files, dir } });
    const states = new Set<string>();
    let interrupted = 0;
    // Goes on while no kill has struck at an interesting moment.
    for (let kill = 0; kill < 8 || ((interrupted === 0 || states.size < 2) && kill < 40); kill += 1) {
      const writer = startWriter(path("project"), path("history"));
      await once(writer.stdout, "data");
      await setTimeout(Math.random() * 300);
      writer.kill("SIGKILL");
      await once(writer, "close");
      const history = createHistory({ directory: path("history") });
      interrupted += readdirSync(path("history/kept")).filter((name) => name.includes("-")).length;
      await changeAll(createSandbox({ projectRoot: path("project") }), [{ path: "mine.txt", text: `${kill}` }], {
        history,
      });
      const left = treeOf(path("project"));
      expect(left["mine.txt"]).toBe(`file 644 ${kill}`);
      delete left["mine.txt"];
      const [first] = Object.values(left);
      states.add(String(first));
      const whole = Object.fromEntries(NAMES.map((name) => [name, first]));
      const { "dir/a.txt": isThere, ...rest } = left;
      expect(left).toEqual(isThere === undefined ? whole : { ...whole, ...treeOf(fixture({ dir }).root) });
      expect(Object.keys(rest).length).toBeGreaterThan(0);
      expect(history.unfinished).toEqual([]);
    }
    expect(interrupted).toBeGreaterThan(0);
    expect(states.size).toBeGreaterThan(1);
  });

  it("is shared by two processes, each of whose changes can be undone", { timeout: 60_000 }, async () => {
    const files = Object.fromEntries(["a", "b"].flatMap((one) => NAMES.map((name) => [one + name, "0"])));
    const { path } = fixture({ project: { ...files, adir: {}, bdir: {} } });
    const before = treeOf(path("project"));
    const writers = ["a", "b"].map((prefix) => startWriter(path("project"), path("history"), prefix));
    await Promise.all(writers.map(({ stdout }) => once(stdout, "data")));
    await setTimeout(1000);
    for (const writer of writers) writer.kill("SIGKILL");
    await Promise.all(writers.map((writer) => once(writer, "close")));
    const history = createHistory({ directory: path("history") });
    await history.take(createSandbox({ projectRoot: path("project") })).ready();
    const changes = await history.changes({ limit: 10_000 });
    expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
    for (const prefix of ["a", "b"])
      expect((await history.changes({ path: `${prefix}1.txt` })).length).toBeGreaterThan(0);
    const undone = await history.undo({ since: changes.at(-1)?.id ?? "" });
    expect(undone.status, undone.text).not.toBe("error");
    expect(treeOf(path("project"))).toEqual(before);
  });
});
