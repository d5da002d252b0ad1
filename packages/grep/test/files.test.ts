import { conformant, fixture, type Tree } from "@fstools/testing";
import { createGlobTool } from "@fstools/glob";
import { describe, expect, it } from "vitest";
import { createGrepTool, type GrepData, type GrepOptions } from "../src/index.ts";

async function filesWith(options: GrepOptions, params: object): Promise<string[]> {
  const files: string[] = [];
  for (let offset = 0; ; offset += 200) {
    const page = { pattern: "one", output_mode: "files", limit: 200, offset, ...params };
    const response = conformant(await createGrepTool(options).run(page), "grep");
    const { matches, truncated } = response.data as GrepData;
    files.push(...matches.map(({ file }) => file));
    if (!truncated) return files;
  }
}

/** More files than are searched without asking ripgrep which of them match. */
function largeTree(): Record<string, Tree> {
  const many = (count: number): Record<string, Tree> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`f${index}.ts`, index % 7 === 0 ? "one\n" : "two\n"]),
    );
  return {
    ".gitignore": "*.log\n/out/\n!keep.log\n",
    ".hidden": { "a.ts": "one\n" },
    "a.log": "one\n",
    "keep.log": "one\n",
    build: { "b.ts": "one\n" },
    secret: { "s.ts": "one\n", "t.md": "one\n" },
    out: { "o.ts": "one\n" },
    a: many(150),
    b: { ".gitignore": "f1*.ts\n", ...many(150), "(x)": many(20), "[y]": many(20) },
    z: { "é.ts": "one\n", "😀.ts": "one\n", "！.ts": "one\n", "-x.ts": "one\n" },
  };
}

describe.each([undefined, false as const])("which files are searched (ripgrepPath: %s)", (ripgrepPath) => {
  const choice = ripgrepPath === undefined ? {} : { ripgrepPath };

  // Rule: Both engines search exactly the files that Glob finds: hidden, ignored, denied and gitignored ones left
  // out.
  it.each([
    {},
    { include_hidden: true },
    { include_ignored: true },
    { include_hidden: true, include_ignored: true },
    { include: "*.ts" },
    { include: "b/**" },
    { include: "{a,b}/f[0-3]*.ts" },
    { include: "b/(x)/*" },
    { include: "[y]/*" },
    { include: "*.{ts,log}", include_ignored: true },
    { path: "b" },
    { path: "b", include: "[y]/*" },
  ])("are Glob's, in Glob's order: %o", async (params: { include?: string; path?: string }) => {
    const { root } = fixture(largeTree());
    const options = { projectRoot: root, deny: ["secret/*.ts"], gitignore: true };
    const { include = "**", ...rest } = params;
    const pattern = include.includes("/") ? include : `**/${include}`;
    const glob = createGlobTool({ ...options, maxVisitedEntries: 100_000 });
    const expected: string[] = [];
    for (let offset = 0; ; offset += 200) {
      const { data } = await glob.run({ pattern, limit: 200, offset, ...rest });
      const { paths = [], truncated = false } = data as { paths?: string[]; truncated?: boolean };
      expected.push(...paths);
      if (!truncated) break;
    }
    const found = await filesWith({ ...options, ...choice }, { pattern: ".", ...params });
    // Ignore files themselves are hidden, and have no line that says otherwise.
    expect(found).toEqual(expected);
  });

  // ripgrep reads these globs in another way.
  it.each([
    ["???.ts", ["ü10.ts"]],
    ["a/{**,x}/b.ts", ["a/b.ts", "a/q0/b.ts", "a/q0/q1/b.ts"]],
    ["{**,x}/b.ts", ["a/b.ts", "a/q0/b.ts", "a/q0/q1/b.ts"]],
    ["a/{*,x}*/b.ts", ["a/b.ts", "a/q0/b.ts", "a/q0/q1/b.ts"]],
    ["a/{q0,**}/b.ts", ["a/b.ts", "a/q0/b.ts", "a/q0/q1/b.ts"]],
    ["{.,x}/*.ts", ["ü10.ts", "a/b.ts", "a/q0/b.ts", "a/q0/q1/b.ts"]],
    ["ROOT/a/**/b.ts", ["a/b.ts", "a/q0/b.ts", "a/q0/q1/b.ts"]],
  ])("are all that %s asks for, among many", async (include, expected) => {
    const hundred = Array.from({ length: 100 }, (_, index) => String(100 + index));
    const { root } = fixture({
      ...Object.fromEntries(hundred.map((name) => [`${name}.ts`, "two\n"])),
      "ü10.ts": "one\n",
      a: {
        ...Object.fromEntries(hundred.map((name) => [name, { "b.ts": "two\n" }])),
        "b.ts": "one\n",
        q0: { "b.ts": "one\n", q1: { "b.ts": "one\n" } },
      },
    });
    const params = { include: include.replace("ROOT", root) };
    expect(await filesWith({ projectRoot: root, ...choice }, params)).toEqual(expected);
  });

  it("are named where git ignores what include spells out", async () => {
    const { root } = fixture({ ".gitignore": "tmp/\n", tmp: { "x.ts": "one\n" }, "a.ts": "one\n" });
    const tool = createGrepTool({ projectRoot: root, gitignore: true, ...choice });
    expect(conformant(await tool.run({ pattern: "one", include: "tmp/**" }), "grep").text).toContain(
      "[Note: 'tmp' in 'include' is ignored by git. Set include_ignored=true to find it.]",
    );
    const found = conformant(await tool.run({ pattern: "one", include: "tmp/**", include_ignored: true }), "grep");
    expect(found.data).toMatchObject({ matches: [{ file: "tmp/x.ts" }] });
  });

  it("are sorted by time in pages, too", async () => {
    const { root } = fixture(largeTree());
    const all = await filesWith({ projectRoot: root, ...choice }, { sort: "modified" });
    expect(new Set(all).size).toBe(all.length);
    expect([...all].sort()).toEqual((await filesWith({ projectRoot: root, ...choice }, {})).sort());
  });
});
