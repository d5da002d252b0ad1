import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { asNobody, fixture } from "@fstools/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBoundary, type Boundary } from "../../src/disk/boundary.ts";
import { openVerified } from "../../src/disk/open.ts";
import {
  noteOutput,
  outputName,
  removeOutputs,
  writeNewFile,
  type OpenedDirectory,
} from "../../src/store/output-store.ts";
import { restrict } from "../restrict.ts";

const NOW = new Date("2025-01-31T23:59:09.999Z");

describe("outputName", () => {
  it("names the time, in UTC, and the tool, and counts further ones", () => {
    expect(outputName("LS", NOW, 1)).toBe("tool_20250131_235909_LS.json");
    expect(outputName("LS", NOW, 2)).toBe("tool_20250131_235909_LS_2.json");
  });

  it.each([
    ["../../etc/passwd", "etcpasswd"],
    ["my tool!", "mytool"],
    ["a_b-C9", "a_b-C9"],
    ["日本", "unnamed"],
    ["", "unnamed"],
    ["x".repeat(300), "x".repeat(64)],
  ])("reduces the tool's name %j to %s", (tool, shown) => {
    expect(outputName(tool, NOW, 1)).toBe(`tool_20250131_235909_${shown}.json`);
  });
});

const OLD = new Date("2020-01-01");
const NEW = new Date("2022-01-01");
const OUTPUT = "tool_20200101_000001_LS.json";
const OTHER = "tool_20200101_000002_LS.json";
const LIST = ".fstools-outputs";

/** A directory with old files that are all on the store's list. */
function outputs(names: readonly string[], list = names.map((name) => `${name}\n`).join("")) {
  const { root, path } = fixture({ out: {}, "notes.txt": "" });
  const place = (name: string) => path("out", name);
  for (const name of names) {
    writeFileSync(place(name), "", { mode: 0o600 });
    utimesSync(place(name), OLD, OLD);
  }
  writeFileSync(place(LIST), list, { mode: 0o600 });
  const open = async (work: (boundary: Boundary, directory: OpenedDirectory) => unknown) => {
    const boundary = createBoundary({ projectRoot: root });
    const directory = boundary.paths.place("out");
    const { descriptor } = openVerified(boundary, directory, "directory");
    await work(boundary, { path: directory, descriptor });
    closeSync(descriptor);
  };
  /** What is left after outputs of before 2021 were removed. */
  const left = async () => {
    await open((boundary, directory) => removeOutputs(boundary, directory, Date.parse("2021-01-01")));
    return readdirSync(path("out"))
      .filter((name) => name !== LIST)
      .sort();
  };
  return { path, place, open, left, list: () => readFileSync(place(LIST), "utf8") };
}

describe("noteOutput", () => {
  it("adds a name that can be read, though the one before was written in part", async () => {
    const { open, left, list } = outputs([OUTPUT, OTHER], "tool_2020");
    await open((boundary, directory) => {
      noteOutput(boundary, directory, OUTPUT);
    });
    expect(await left()).toEqual([OTHER]);
    expect(list()).toBe("");
  });

  it("makes a list that only the user can read", () => {
    const { root, path } = fixture({ out: {} });
    const boundary = createBoundary({ projectRoot: root });
    const { descriptor } = openVerified(boundary, boundary.paths.place("out"), "directory");
    noteOutput(boundary, { path: boundary.paths.place("out"), descriptor }, OUTPUT);
    closeSync(descriptor);
    expect(statSync(path("out", LIST)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path("out", LIST), "utf8")).toContain(OUTPUT);
  });
});

describe("removeOutputs", () => {
  it("removes old files of the list, and nothing else", async () => {
    const others = [
      "notes.json",
      "tool_1_2_LS.json",
      "tool_20250131_235909_.json",
      "tool_20250131_235909_LS.json.bak",
      "x_tool_20250131_235909_LS.json",
    ];
    const { left, list, place, path } = outputs([OUTPUT, OTHER, ...others]);
    writeFileSync(place(LIST), "../notes.txt\n", { flag: "a" });
    utimesSync(place(OTHER), NEW, NEW);
    utimesSync(path("notes.txt"), OLD, OLD);
    expect(await left()).toEqual([OTHER, ...others].sort());
    expect(list()).toBe(`${OTHER}\n`);
    expect(statSync(path("notes.txt")).isFile()).toBe(true);
  });

  it("removes nothing that the list does not name", async () => {
    expect(await outputs([OUTPUT, OTHER], `${OTHER}\n`).left()).toEqual([OUTPUT]);
  });

  it("removes no directory, and neither a link nor what it leads to", async () => {
    const { left, place, list } = outputs(["target"], `${OUTPUT}\n${OTHER}\n`);
    mkdirSync(place(OUTPUT), 0o600);
    symlinkSync("target", place(OTHER));
    for (const name of ["target", OUTPUT, OTHER]) lutimesSync(place(name), OLD, OLD);
    expect(await left()).toEqual(["target", OUTPUT, OTHER].sort());
    expect(list()).toBe("");
  });

  it("keeps a name that was noted while it removed others", async () => {
    const { open, place, list } = outputs([OUTPUT]);
    await open(async (boundary, directory) => {
      const removing = removeOutputs(boundary, directory, Date.parse("2021-01-01"));
      writeFileSync(place(OTHER), "", { mode: 0o600 });
      noteOutput(boundary, directory, OTHER);
      await removing;
    });
    expect(list()).toBe(`${OTHER}\n`);
  });

  it.each<[string, (path: string) => void]>([
    [
      "was changed since",
      (path) => {
        utimesSync(path, NEW, NEW);
      },
    ],
    [
      "has a mode that git can keep",
      (path) => {
        chmodSync(path, 0o644);
      },
    ],
    [
      "has another name on the disk",
      (path) => {
        linkSync(path, `${path}.copy`);
      },
    ],
  ])("keeps a file that %s", async (_, change) => {
    const { left, place } = outputs([OUTPUT]);
    change(place(OUTPUT));
    expect(await left()).toContain(OUTPUT);
  });

  it.each<[string, (list: string) => void]>([
    [
      "of a mode that git can keep",
      (list) => {
        chmodSync(list, 0o644);
      },
    ],
    [
      "that has another name on the disk",
      (list) => {
        linkSync(list, `${list}.copy`);
      },
    ],
    [
      "that is longer than any store makes it",
      (list) => {
        truncateSync(list, 1024 ** 3);
      },
    ],
    [
      "that is a link",
      (list) => {
        renameSync(list, `${list}.real`);
        symlinkSync(`${list}.real`, list);
      },
    ],
  ])("does not believe a list %s, nor change it", async (_, change) => {
    const { left, place } = outputs([OUTPUT]);
    change(place(LIST));
    const { size } = statSync(place(LIST));
    expect(await left()).toContain(OUTPUT);
    expect(statSync(place(LIST)).size).toBe(size);
  });

  it("does not believe another user's list, and keeps another user's file", async ({ skip }) => {
    if (process.getuid?.() !== 0) skip("needs root, to give a file away");
    for (const name of [OUTPUT, LIST]) {
      const { left, place } = outputs([OUTPUT]);
      chownSync(place(name), 65534, 65534);
      expect(await left()).toEqual([OUTPUT]);
    }
  });

  it("leaves for the next time what it can't remove", async () => {
    const { left, path, list, place } = outputs([OUTPUT]);
    if (process.getuid?.() === 0) for (const name of [OUTPUT, LIST]) chownSync(place(name), 65534, 65534);
    restrict(path("out"), 0o555);
    await asNobody(async () => {
      expect(await left()).toEqual([OUTPUT]);
    });
    expect(list()).toContain(OUTPUT);
  });

  it("does not fail where it may not even look", async () => {
    const boundary = createBoundary({ projectRoot: fixture({}).root, usesProc: false });
    await removeOutputs(boundary, { path: boundary.paths.place("gone"), descriptor: -1 }, Date.now());
  });
});

const HELLO = [Buffer.from("hel"), Buffer.from(""), Buffer.from("lo")];

describe.each([
  ["through /proc", true],
  ["by path", false],
])("writeNewFile %s", (_, usesProc) => {
  function setUp(deny?: string[]) {
    const tree = fixture({ root: { out: { "old.txt": "old" } }, outside: {} });
    const boundary = createBoundary({ projectRoot: tree.path("root"), deny, usesProc });
    const path = boundary.paths.create("out");
    const { descriptor } = openVerified(boundary, path, "directory");
    onTestFinished(() => {
      closeSync(descriptor);
    });
    const write = (name: string, chunks: Iterable<Uint8Array>) =>
      writeNewFile(boundary, { path, descriptor }, name, chunks);
    return { ...tree, write };
  }

  it("writes all chunks into a file for the user alone", async () => {
    const { path, write } = setUp();
    await write("new.txt", HELLO);
    expect(readFileSync(path("root/out/new.txt"), "utf8")).toBe("hello");
    expect(statSync(path("root/out/new.txt")).mode & 0o777).toBe(0o600);
  });

  it("never overwrites, and follows no link", async () => {
    const { path, write } = setUp();
    symlinkSync("../../outside/new.txt", path("root/out/link.txt"));
    for (const name of ["old.txt", "link.txt"]) expect(await write(name, HELLO)).toBe(false);
    expect(readFileSync(path("root/out/old.txt"), "utf8")).toBe("old");
    expect(existsSync(path("outside/new.txt"))).toBe(false);
  });

  it("removes what it could not finish", async () => {
    const { path, write } = setUp();
    let half = "";
    function* failing(): Generator<Uint8Array> {
      yield Buffer.from("half");
      yield Buffer.from(", then the other");
      half = readFileSync(path("root/out/new.txt"), "utf8");
      throw new Error("no more");
    }
    await expect(write("new.txt", failing())).rejects.toThrow("no more");
    // The second chunk may still be on its way.
    expect(half).toMatch(/^half/u);
    expect(existsSync(path("root/out/new.txt"))).toBe(false);
  });

  it("writes nothing that is denied", async () => {
    const { path, write } = setUp(["**/*.json"]);
    await expect(write("new.json", HELLO)).rejects.toMatchObject({ reason: "denied" });
    expect(existsSync(path("root/out/new.json"))).toBe(false);
  });
});
