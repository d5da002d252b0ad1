import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const page = readFileSync(`${root}docs/architecture.md`, "utf8");
// `sandbox/disk/open.ts`, `protocol/tool.ts`: a file below packages/*/src.
const NAMED = /\b(?<package>[a-z-]+)\/(?<file>(?:[a-z-]+\/)*[a-z-]+\.ts)\b/gu;
const FUNCTION = /`(?<name>[a-zA-Z]+)` in (?<package>[a-z-]+)\/(?<file>(?:[a-z-]+\/)*[a-z-]+\.ts)/gu;

describe("docs/architecture.md", () => {
  it("names files that exist", () => {
    const files = [...page.matchAll(NAMED)].map(({ groups = {} }) => `packages/${groups.package}/src/${groups.file}`);
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !existsSync(root + file))).toEqual([]);
  });

  it("names functions that these files have", () => {
    const missing = [...page.matchAll(FUNCTION)].filter(({ groups = {} }) => {
      const source = readFileSync(`${root}packages/${groups.package}/src/${groups.file}`, "utf8");
      return !new RegExp(`\\b${groups.name}\\b`, "u").test(source);
    });
    expect(missing.map(([text]) => text)).toEqual([]);
  });
});
