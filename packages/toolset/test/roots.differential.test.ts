import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { conformant, fixture, link, type Tree } from "@fstools/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createToolset, TOOL_NAMES, type ToolName } from "../src/index.ts";

const ROOTS = ["one", "two"] as const;
const NAMES = ["a.ts", "b.txt", "src", "lib", ".hidden", "node_modules", "x.pem", "c d", "ü", "it's"];
const OPTIONS = { tools: TOOL_NAMES, deny: ["*.pem"], gitignore: true } as const;

const name = fc.constantFrom(...NAMES);
const content = fc.constantFrom("", "needle\n", "one\ntwo needle\nthree\n", "no end", "\0binary");

/** A directory of a root, `depth` below what holds the roots; its links lead inside, into the other root, or outside. */
function directory(depth: number): fc.Arbitrary<Record<string, Tree>> {
  const up = "../".repeat(depth);
  const target = fc.oneof(
    name,
    fc.tuple(fc.constantFrom(...ROOTS), name).map(([root, below]) => `${up}${root}/${below}`),
    fc.constantFrom(...ROOTS).map((root) => up + root),
    fc.constantFrom("/etc/hosts", "/no/such/file", "/etc"),
  );
  const entry: fc.Arbitrary<Tree> = fc.oneof(
    { weight: 4, arbitrary: content },
    { weight: 2, arbitrary: target.map((path) => link(path)) },
    { weight: depth < 3 ? 3 : 0, arbitrary: depth < 3 ? directory(depth + 1) : content },
  );
  const ignored = fc.constantFrom({}, { ".gitignore": "lib\n/src\n" }, { ".gitignore": "*.txt\n!b.txt\n" });
  return fc.tuple(fc.dictionary(name, entry, { maxKeys: 5 }), ignored).map(([tree, rules]) => ({ ...tree, ...rules }));
}

const inRoot = fc
  .tuple(fc.constantFrom(...ROOTS), fc.array(name, { minLength: 1, maxLength: 3 }))
  .map(([root, names]) => [root, ...names].join("/"));
const anyPath = fc.oneof(
  { weight: 6, arbitrary: inRoot },
  { weight: 1, arbitrary: fc.constantFrom(".", "one", "two", "one/../two", "./one/", "..", "../two") },
);
const pattern = fc.constantFrom(
  "**",
  "**/*.ts",
  "*",
  "one/**",
  "*/a.ts",
  "{one,two}/src/*",
  "two/b.txt",
  "**/lib/**",
  "**/.hidden",
);
const flag = fc.boolean();
const paging = { limit: fc.integer({ min: 1, max: 4 }), offset: fc.integer({ min: 0, max: 3 }) };

const section = fc.oneof(
  inRoot.map((path) => `*** Update File: ${path}\n@@\n-needle\n+pin\n`),
  fc.tuple(inRoot, inRoot).map(([from, to]) => `*** Update File: ${from}\n*** Move to: ${to}\n@@\n-needle\n+pin\n`),
  inRoot.map((path) => `*** Add File: ${path}\n+new\n`),
  inRoot.map((path) => `*** Delete File: ${path}\n`),
);

const calls = fc.oneof(
  fc.tuple(
    fc.constant<ToolName>("Patch"),
    fc.record({
      patch: fc
        .array(section, { minLength: 1, maxLength: 2 })
        .map((sections) => `*** Begin Patch\n${sections.join("")}*** End Patch`),
      dry_run: flag,
    }),
  ),
  fc.tuple(
    fc.constant<ToolName>("LS"),
    fc.record({ path: anyPath, include_hidden: flag, sort: fc.constantFrom("name", "size"), ...paging }),
  ),
  fc.tuple(
    fc.constant<ToolName>("Glob"),
    fc.record({ pattern, path: anyPath, include_hidden: flag, include_ignored: flag, ...paging }),
  ),
  fc.tuple(
    fc.constant<ToolName>("Grep"),
    fc.record({
      pattern: fc.constantFrom("needle", "one|two", "^$"),
      path: anyPath,
      include: pattern,
      output_mode: fc.constantFrom("content", "files", "count"),
      include_hidden: flag,
      ...paging,
    }),
  ),
  fc.tuple(fc.constant<ToolName>("Read"), fc.record({ path: anyPath })),
  fc.tuple(fc.constant<ToolName>("read"), fc.record({ filePath: anyPath })),
  fc.tuple(
    fc.constant<ToolName>("Edit"),
    fc.record({
      path: inRoot,
      old_string: fc.constantFrom("needle", "one"),
      new_string: fc.constantFrom("pin", "needle needle"),
    }),
  ),
  fc.tuple(fc.constant<ToolName>("Write"), fc.record({ path: inRoot, content, dry_run: flag })),
  fc.tuple(fc.constant<ToolName>("Move"), fc.record({ from: inRoot, to: inRoot, copy: flag })),
  fc.tuple(fc.constant<ToolName>("Delete"), fc.record({ path: inRoot, recursive: flag })),
);

/** What differs from one run to the next. */
function masked(value: unknown, root: string): unknown {
  const text = JSON.stringify(value)
    .replaceAll(root, "ROOT")
    .replaceAll(/\d+ms/gu, "Nms")
    // The list of roots has no absolute path, and a pattern that enters none of them is explained.
    .replaceAll(/\\n\[Note: A path begins with [^\]]*\]/gu, "")
    .replaceAll("<path>ROOT</path>", "<path>.</path>");
  return JSON.parse(text.replaceAll(/"(?<key>time_ms|mtime_ms|file_mtime_ms)":\d+/gu, '"$<key>":0'));
}

/** Everything in a directory. */
function contentOf(path: string): unknown {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!stats.isDirectory()) return readFileSync(path, "utf8");
  return Object.fromEntries(readdirSync(path).map((entry) => [entry, contentOf(join(path, entry))]));
}

// Rule: A project of several roots answers like one directory that holds them all under their names.
it("answers like one directory that holds all roots under their names", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      directory(1),
      directory(1),
      fc.array(calls, { minLength: 1, maxLength: 12 }),
      async (one, two, made) => {
        const [apart, together] = [fixture({ one, two }), fixture({ one, two })];
        try {
          const several = createToolset({ ...OPTIONS, roots: ROOTS.map((root) => ({ path: apart.path(root) })) });
          const single = createToolset({ ...OPTIONS, projectRoot: together.root });
          for (const [tool, params] of made) {
            const [answer, expected] = [await several.tool(tool).run(params), await single.tool(tool).run(params)];
            expect(masked(conformant(answer), apart.root), `${tool} ${JSON.stringify(params)}`).toEqual(
              masked(expected, together.root),
            );
            seen.add(`${tool} ${expected.error?.code ?? expected.status}`);
          }
          expect(contentOf(apart.root)).toEqual(contentOf(together.root));
        } finally {
          apart.cleanup();
          together.cleanup();
        }
      },
    ),
    { numRuns: 100 },
  );
  for (const name of TOOL_NAMES)
    expect([...seen].filter((kind) => kind.startsWith(`${name} `)).length).toBeGreaterThan(1);
});
