import { chmodSync, writeFileSync } from "node:fs";
import { conformant, fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { bundledRipgrep } from "../src/engine/ripgrep/process.ts";
import { createGrepTool, type GrepData, type GrepOptions } from "../src/index.ts";

// Larger than what is held in memory, so that they are read piece by piece.
const FILLER = `${"word ".repeat(20)}\n`.repeat(15_000);
const FILLER_LINES = 15_000;

async function run(options: GrepOptions, params: object): Promise<GrepData> {
  const response = conformant(await createGrepTool(options).run(params), "grep");
  expect(response.status, response.text).not.toBe("error");
  return response.data as GrepData;
}

describe.each([undefined, false as const])("texts that are not held in memory (ripgrepPath: %s)", (ripgrepPath) => {
  const choice = ripgrepPath === undefined ? {} : { ripgrepPath };
  const search = (root: string, params: object) => run({ projectRoot: root, ...choice }, params);

  it("are searched to the end, and between two positions", async () => {
    const { root } = fixture({ a: `needle\n${FILLER}a needle, "ü"\r\nneedle` });
    const { matches } = await search(root, { pattern: "needle$|^a needle", context: 1 });
    expect(matches.map(({ line, text }) => [line, text])).toEqual([
      [1, "needle"],
      [FILLER_LINES + 2, 'a needle, "ü"'],
      [FILLER_LINES + 3, "needle"],
    ]);
    expect(matches[1]?.after).toEqual(["needle"]);
    expect(matches[1]?.before).toEqual(["word ".repeat(20)]);
  });

  it("have lines that a lone return ends", async () => {
    const { root } = fixture({ a: `needle 1\n${FILLER}needle 2\nx\rneedle 3\rneedle 4\n${FILLER}needle 5\r` });
    const found = (await search(root, { pattern: "^needle" })).matches.map(({ line, text }) => `${line}:${text}`);
    const middle = FILLER_LINES + 2;
    expect(found).toEqual([
      "1:needle 1",
      `${middle}:needle 2`,
      `${middle + 2}:needle 3`,
      `${middle + 3}:needle 4`,
      `${middle + FILLER_LINES + 4}:needle 5`,
    ]);
  });

  it("may be UTF-16, or begin with a mark", async () => {
    const text = `\uFEFFneedle\n${"😀".repeat(131_071)}\n${FILLER}x needle 😀\r\n`;
    const { root } = fixture({
      "a.txt": Buffer.from(text, "utf16le"),
      "b.txt": Buffer.from(text, "utf16le").swap16(),
      "c.txt": text,
    });
    const { matches } = await search(root, { pattern: "^(x )?needle" });
    expect(matches.map(({ file, line, text: shown }) => `${file}:${line}:${shown}`)).toEqual(
      ["a.txt", "b.txt", "c.txt"].flatMap((file) => [`${file}:1:needle`, `${file}:${FILLER_LINES + 3}:x needle 😀`]),
    );
  });

  it("may be one line, which is cut around the match", async () => {
    const { root } = fixture({ a: `${"é".repeat(900_000)}needle${"y".repeat(900_000)}` });
    const { matches } = await search(root, { pattern: "needle" });
    expect(matches).toEqual([
      { file: "a", line: 1, text: `${"é".repeat(100)}needle${"y".repeat(194)}`, column: 900_001 - 100 },
    ]);
  });

  it("are searched across lines", async () => {
    const { root } = fixture({ a: `${FILLER}one\ntwo\n${FILLER}` });
    const { matches } = await search(root, { pattern: String.raw`one\s+two`, multiline: true });
    expect(matches).toEqual([{ file: "a", line: FILLER_LINES + 1, text: "one", end_line: FILLER_LINES + 2 }]);
  });

  it("are searched to the end where ripgrep dies of a file that it has mapped", async () => {
    if (ripgrepPath === false) return;
    const { path } = fixture({ project: { a: `needle\n${FILLER}needle\n${FILLER}needle` } });
    const command = path("rg");
    const real = (await bundledRipgrep()) ?? "";
    writeFileSync(
      command,
      `#!/bin/sh\ncase "$*" in */proc/self/fd/0) ${real} "$@" | head -n 2; kill -BUS $$;; *) exec ${real} "$@";; esac\n`,
    );
    chmodSync(command, 0o755);
    const { matches, fallback } = await run(
      { projectRoot: path("project"), ripgrepPath: command },
      { pattern: "needle" },
    );
    expect(matches.map(({ line }) => line)).toEqual([1, FILLER_LINES + 2, 2 * FILLER_LINES + 3]);
    expect(fallback).toBeUndefined();
  });

  it("are left out if they change meanwhile", async () => {
    if (ripgrepPath === false) return;
    const { root, path } = fixture({ project: { a: `needle\n${FILLER}`, b: "needle\n" } });
    const command = path("rg");
    writeFileSync(
      command,
      `#!/bin/sh\necho more >> ${path("project", "a")}\nexec ${(await bundledRipgrep()) ?? ""} "$@"\n`,
    );
    chmodSync(command, 0o755);
    const { matches } = await run({ projectRoot: path("project"), ripgrepPath: command }, { pattern: "needle" });
    expect(matches.map(({ file }) => file)).toEqual(["b"]);
    expect(root).not.toBe("");
  });
});
