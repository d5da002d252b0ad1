import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const packages = new URL("../../../packages/", import.meta.url);
const SOURCE = /"@fstools\/source": "\.\/(?<file>[^"]+)"/gu;

/** The sources of what a package exports, as typedoc's configuration names them. */
function exportedSources(name: string): string[] {
  const manifest = readFileSync(new URL(`${name}/package.json`, packages), "utf8");
  return [...manifest.matchAll(SOURCE)].map(({ groups }) => `../../packages/${name}/${groups?.file ?? ""}`);
}

describe("the API reference", () => {
  it("covers every entry point of every package", () => {
    const config = readFileSync(new URL("../typedoc.json", import.meta.url), "utf8");
    const covered = [...config.matchAll(/"(?<file>[^"]+\.ts)"/gu)].map(({ groups }) => groups?.file);
    expect(covered.toSorted()).toEqual(readdirSync(packages).flatMap(exportedSources).toSorted());
  });
});
