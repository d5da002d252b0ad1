import { closeSync, existsSync, lutimesSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { asNobody, fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/path/boundary.ts";
import { openVerified } from "../../src/disk/descriptor.ts";
import { removeOld } from "../../src/store/retention.ts";
import { restrict } from "../restrict.ts";

const OLD = new Date("2020-01-01");
const rule = { name: /^ours-\d\.json$/u, before: Date.parse("2021-01-01") };

async function removeIn(root: string): Promise<void> {
  const boundary = createBoundary(root);
  const path = boundary.paths.mint("out");
  const { descriptor } = openVerified(boundary, path, "directory");
  await removeOld(boundary, { path, descriptor }, rule);
  closeSync(descriptor);
}

describe("removeOld", () => {
  it("removes old files with our name, and nothing else", async () => {
    const { root, path } = fixture({
      out: {
        "ours-1.json": "",
        "ours-2.json": "",
        "theirs.json": "",
        "ours-3.json": link("theirs.json"),
        ".gitignore": "*",
      },
    });
    mkdirSync(path("out/ours-4.json"));
    for (const name of ["ours-1.json", "theirs.json", ".gitignore", "ours-4.json"])
      utimesSync(path("out", name), OLD, OLD);
    lutimesSync(path("out/ours-3.json"), OLD, OLD);
    await removeIn(root);
    const left = ["ours-1.json", "ours-2.json", "theirs.json", "ours-3.json", ".gitignore", "ours-4.json"];
    expect(left.filter((name) => existsSync(path("out", name)))).toEqual(left.slice(1));
  });

  it("does not fail where it may not even look", async () => {
    const { root, path } = fixture({ out: { "ours-1.json": "" } });
    const boundary = createBoundary(root, undefined, false);
    const closed = { path: boundary.paths.mint("gone"), descriptor: -1 };
    await expect(removeOld(boundary, closed, rule)).resolves.toBeUndefined();
    expect(existsSync(path("out/ours-1.json"))).toBe(true);
  });

  it("leaves what it may not remove", async () => {
    const { root, path } = fixture({ out: {} });
    writeFileSync(path("out/ours-1.json"), "");
    utimesSync(path("out/ours-1.json"), OLD, OLD);
    restrict(path("out"), 0o555);
    await asNobody(() => removeIn(root));
    expect(existsSync(path("out/ours-1.json"))).toBe(true);
    await removeIn(root);
  });
});
