import {
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { openVerified } from "../../src/disk/descriptor.ts";
import { outputName, removeOutputs } from "../../src/store/outputs.ts";

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
const OUTPUT = "tool_20200101_000001_LS.json";

/** What is left of a directory with old files after outputs of before 2021 were removed. */
async function left(names: readonly string[], change: (path: (name: string) => string) => void = () => undefined) {
  const { root, path } = fixture({ out: {}, "notes.txt": "" });
  for (const name of names) {
    writeFileSync(path("out", name), "", { mode: 0o600 });
    utimesSync(path("out", name), OLD, OLD);
  }
  change((name) => path("out", name));
  const boundary = createBoundary({ projectRoot: root });
  const directory = boundary.paths.place("out");
  const { descriptor } = openVerified(boundary, directory, "directory");
  await removeOutputs(boundary, { path: directory, descriptor }, Date.parse("2021-01-01"));
  closeSync(descriptor);
  return readdirSync(path("out")).sort();
}

describe("removeOutputs", () => {
  it("removes old files of a store, and nothing else", async () => {
    const others = [
      "notes.json",
      "tool_1_2_LS.json",
      "tool_20250131_235909_.json",
      "tool_20250131_235909_LS.json.bak",
      "x_tool_20250131_235909_LS.json",
    ];
    expect(await left([OUTPUT, ...others])).toEqual(others);
  });

  it("removes no directory, and neither a link nor what it leads to", async () => {
    const names = [OUTPUT, "tool_20200101_000002_LS.json", "target"];
    const kept = await left(["target"], (path) => {
      mkdirSync(path(OUTPUT), 0o600);
      symlinkSync("target", path("tool_20200101_000002_LS.json"));
      for (const name of names) lutimesSync(path(name), OLD, OLD);
    });
    expect(kept).toEqual(names.sort());
  });

  it.each<[string, (path: string) => void]>([
    [
      "was changed since",
      (path) => {
        utimesSync(path, new Date("2022-01-01"), new Date("2022-01-01"));
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
    expect(
      await left([OUTPUT], (path) => {
        change(path(OUTPUT));
      }),
    ).toContain(OUTPUT);
  });

  it("keeps a file of another user", async ({ skip }) => {
    if (process.getuid?.() !== 0) skip("needs root, to give a file away");
    expect(
      await left([OUTPUT], (path) => {
        chownSync(path(OUTPUT), 65534, 65534);
      }),
    ).toEqual([OUTPUT]);
  });

  it("does not fail where it may not even look", async () => {
    const boundary = createBoundary({ projectRoot: fixture({}).root, usesProc: false });
    await removeOutputs(boundary, { path: boundary.paths.place("gone"), descriptor: -1 }, Date.now());
  });
});
