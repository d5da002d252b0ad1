import { createSandbox, type DirectoryEntry, type Sandbox, type SandboxDirectory } from "@fstools/sandbox";
import { fifo, fixture, link, makeLargeDirectory } from "@fstools/testing";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listDirectory } from "../src/list.ts";
import { lsParams } from "../src/params.ts";

const never = new AbortController();

async function list(sandbox: Sandbox, params: object = {}, maxDurationMs = 60_000, opened?: SandboxDirectory) {
  const parsed = lsParams().parse(params);
  const directory = opened ?? (await sandbox.resolveDirectory(parsed.path));
  try {
    return await listDirectory(sandbox, directory, parsed, { maxDurationMs, signal: never.signal });
  } finally {
    directory.close();
  }
}

/** A directory whose entries come in these batches. */
function inBatches({ root: path }: Sandbox, batches: (() => DirectoryEntry[])[]): SandboxDirectory {
  return {
    path,
    next: () => batches.shift()?.() ?? [],
    isAtEnd: () => batches.length === 0,
    isList: false,
    look: () => "unknown",
    close: () => undefined,
  };
}

async function names(root: string, params: object = {}): Promise<string[]> {
  const { page } = await list(createSandbox({ projectRoot: root }), params);
  return page.map(({ name }) => name);
}

describe("listDirectory", () => {
  // Rule: Directories first, then by lower-cased name, ties by name.
  it("puts directories first, then sorts by lower-cased name, ties by name", async () => {
    const { root } = fixture({ b: "", A: "", a: "", B: "", zdir: {}, Adir: {}, adir: {}, _: "", Z: "" });
    expect(await names(root)).toEqual(["Adir", "adir", "zdir", "_", "A", "a", "B", "b", "Z"]);
  });

  it("selects a page far from the first", async () => {
    const { root, path } = fixture();
    makeLargeDirectory(path("large"), 33_000);
    for (const name of ["Zb", "za"]) writeFileSync(path("large", name), "");
    for (const [name, target] of Object.entries({ zlink: "za", "a-dir": "../dir" })) {
      symlinkSync(target, path("large", name));
    }
    mkdirSync(path("dir"));
    mkdirSync(path("large", "zdir"));
    const { page, ...counts } = await list(createSandbox({ projectRoot: root }), { path: "large", offset: 33_001 });
    const shown = page.map(({ name, kind }) => `${name}:${kind}`);
    expect(shown).toEqual(["f32999:file", "za:file", "Zb:file", "zlink:link"]);
    expect(counts).toMatchObject({ dirs: 1, files: 33_002, links: 2 });
  });

  // Rule: `sort` puts the largest or the newest first, whatever page is asked for; directories come last by size.
  it("sorts by size, directories last, ties by name", async () => {
    const { root } = fixture({ z: {}, a: {}, empty: "", b: "12345", C: "12345", one: "1", "a-link": link("b") });
    const sandbox = createSandbox({ projectRoot: root });
    const { page } = await list(sandbox, { sort: "size" });
    expect(page.map(({ name, size }) => [name, size])).toEqual([
      ["b", 5],
      ["C", 5],
      ["one", 1],
      ["empty", 0],
      ["a-link", undefined],
      ["a", undefined],
      ["z", undefined],
    ]);
    expect(page.every(({ mtimeMs }) => Number.isInteger(mtimeMs))).toBe(true);
    const second = await list(sandbox, { sort: "size", offset: 2, limit: 2 });
    expect(second.page.map(({ name }) => name)).toEqual(["one", "empty"]);
  });

  it("sorts by time, directories among files, ties by name", async () => {
    const { root, path } = fixture({ old: "", dir: {}, New: "", same: "" });
    for (const [name, time] of Object.entries({ old: 1, dir: 3, New: 2, same: 3 })) utimesSync(path(name), time, time);
    const { page } = await list(createSandbox({ projectRoot: root }), { sort: "modified" });
    expect(page.map(({ name, mtimeMs }) => [name, mtimeMs])).toEqual([
      ["dir", 3000],
      ["same", 3000],
      ["New", 2000],
      ["old", 1000],
    ]);
  });

  it("looks at each entry once, leaves out what is gone, and puts last what it cannot tell", async () => {
    const { root } = fixture();
    const sandbox = createSandbox({ projectRoot: root });
    const looked: string[] = [];
    const seen = {
      gone: "missing",
      hazy: "unknown",
      big: { kind: "file", size: 9, mtimeMs: 1e300, device: 1 },
      small: { kind: "file", size: 1, mtimeMs: 1.5, device: 1 },
    } as const;
    const directory: SandboxDirectory = {
      ...inBatches(sandbox, [() => ["hazy", "small", "gone", "big"].map((name) => ({ name, kind: "file" }))]),
      look: (name) => {
        looked.push(name);
        return seen[name as keyof typeof seen];
      },
    };
    const { page, files } = await list(sandbox, { sort: "size", limit: 3 }, 60_000, directory);
    expect(page).toEqual([
      { name: "big", kind: "file", size: 9 },
      { name: "small", kind: "file", size: 1, mtimeMs: 1 },
      { name: "hazy", kind: "file" },
    ]);
    expect([files, looked.sort()]).toEqual([3, ["big", "gone", "hazy", "small"]]);
  });

  it("sorts a link to a directory inside as a directory, and any other link as a file", async () => {
    const { root } = fixture({
      dir: {},
      file: "",
      "a-to-file": link("file"),
      "b-to-dir": link("dir"),
      "c-broken": link("nowhere"),
      "e-outside": link("/"),
      "f-loop": link("f-loop"),
    });
    const { page } = await list(createSandbox({ projectRoot: root }));
    expect(page.map(({ name, kind }) => `${name}:${kind}`)).toEqual([
      "b-to-dir:link",
      "dir:directory",
      "a-to-file:link",
      "c-broken:link",
      "e-outside:link",
      "f-loop:link",
      "file:file",
    ]);
  });

  it("counts directories, files and links over all pages", async () => {
    const { root } = fixture({ d1: {}, d2: {}, f1: "", f2: "", f3: "", l: link("d1"), pipe: fifo(), ".hidden": "" });
    const { page, ...counts } = await list(createSandbox({ projectRoot: root }), { limit: 1 });
    expect(page).toHaveLength(1);
    expect(counts).toEqual({ dirs: 2, files: 4, links: 1, hidden: 1, timedOut: false });
  });

  // Rule: The default ignore list hides directories and links, not files, unless `include_hidden`.
  it("hides dot entries, and directories and links of the ignored names, but not files of these names", async () => {
    const { root } = fixture({
      ".env0": "",
      ".github": {},
      node_modules: {},
      dist: link("src"),
      build: "a script",
      target: {},
      src: {},
    });
    expect(await names(root)).toEqual(["src", "build"]);
    expect(await names(root, { include_hidden: true })).toEqual([
      ".github",
      "dist",
      "node_modules",
      "src",
      "target",
      ".env0",
      "build",
    ]);
  });

  it.each([
    ".git",
    ".hg",
    ".svn",
    "__pycache__",
    "node_modules",
    "target",
    "build",
    "dist",
    ".idea",
    ".vscode",
    ".DS_Store",
    "venv",
    ".venv",
  ])("hides the directory %s unless include_hidden is set", async (name) => {
    const { root } = fixture({ [name]: {}, shown: {} });
    expect(await names(root)).toEqual(["shown"]);
    expect((await names(root, { include_hidden: true })).sort()).toEqual([name, "shown"].sort());
  });

  it("leaves out what the ignore patterns match, also when hidden entries are included", async () => {
    const { root } = fixture({ src: { "a.log": "", "a.ts": "", ".x.log": "", logs: {} } });
    const params = { path: "src", include_hidden: true, ignore: ["*.log", "src/logs"] };
    expect(await names(root, params)).toEqual(["a.ts"]);
  });

  it("does not count as hidden what an ignore pattern leaves out anyway", async () => {
    const { root } = fixture({ ".a": "", ".b": "" });
    expect(await list(createSandbox({ projectRoot: root }), { ignore: [".a"] })).toMatchObject({ hidden: 1 });
  });

  // Rule: A `stat` for links only.
  it("asks where a link leads, and nothing about any other entry", async () => {
    const { root } = fixture({ dir: {}, "1": "", "2": "", "3": "", l1: link("dir"), l2: link("1") });
    const sandbox = createSandbox({ projectRoot: root });
    const asked: string[] = [];
    const counting: Sandbox = {
      ...sandbox,
      createLinkProbe: (directory) => {
        const leadsToDirectory = sandbox.createLinkProbe(directory);
        return (name) => {
          asked.push(name);
          return leadsToDirectory(name);
        };
      },
    };
    await list(counting, { include_hidden: true });
    expect(asked.sort()).toEqual(["l1", "l2"]);
  });

  it("does not ask about a link that cannot be on the page", async () => {
    const { root } = fixture({ dir: {}, "a-link": link("dir"), "z-link": link("dir") });
    const sandbox = createSandbox({ projectRoot: root });
    const directories = Array.from({ length: 10_000 }, (_, index) => `d${String(index).padStart(5, "0")}`);
    const asked: string[] = [];
    const crowded: Sandbox = {
      ...sandbox,
      createLinkProbe: (directory) => {
        const leadsToDirectory = sandbox.createLinkProbe(directory);
        return (name) => {
          asked.push(name);
          return leadsToDirectory(name);
        };
      },
    };
    const batches = [
      () => directories.map((name) => ({ name, kind: "directory" as const })),
      () => ["a-link", "z-link"].map((name) => ({ name, kind: "link" as const })),
    ];
    const { page, links } = await list(
      crowded,
      { limit: 3, include_hidden: true },
      60_000,
      inBatches(sandbox, batches),
    );
    expect(page.map(({ name }) => name)).toEqual(["a-link", "d00000", "d00001"]);
    expect(links).toBe(2);
    expect(asked).toEqual(["a-link"]);
  });

  it("stops when the time is over, with what it has seen until then", async () => {
    const { root } = fixture({ a: "", b: "" });
    const sandbox = createSandbox({ projectRoot: root });
    expect(await list(sandbox, {}, 0)).toMatchObject({ page: [], files: 0, timedOut: true });
    const late = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      return [{ name: "late", kind: "file" as const }];
    };
    const slow = inBatches(sandbox, [() => [{ name: "first", kind: "file" }], late]);
    const { page, files, timedOut } = await list(sandbox, {}, 250, slow);
    expect([page.map(({ name }) => name), files, timedOut]).toEqual([["first"], 1, true]);
  });

  it("stops when the time is over within one batch, if patterns make it slow", async () => {
    const { root } = fixture();
    const sandbox = createSandbox({ projectRoot: root });
    const crowd = Array.from({ length: 200_000 }, (_, index) => ({
      name: `${"a".repeat(200)}${String(index)}`,
      kind: "file" as const,
    }));
    const ignore = Array.from({ length: 200 }, () => "*a*a*b*");
    const { files, timedOut } = await list(sandbox, { ignore }, 100, inBatches(sandbox, [() => crowd]));
    expect(timedOut).toBe(true);
    expect(files).toBeLessThan(crowd.length);
  });

  it("stops with the signal's reason", async () => {
    const { root } = fixture({ a: "" });
    const sandbox = createSandbox({ projectRoot: root });
    const reason = new Error("enough");
    const directory = inBatches(sandbox, [() => [], () => []]);
    const listing = listDirectory(sandbox, directory, lsParams().parse({}), {
      maxDurationMs: 60_000,
      signal: AbortSignal.abort(reason),
    });
    await expect(listing).rejects.toBe(reason);
  });
});
