// @ts-check
// Prints how many source files a warm call of each tool passes, by V8's coverage; with --names, which.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOutputStore, createSandbox } from "@fstools/sandbox";
import { createToolset } from "@fstools/toolset";

const root = mkdtempSync(join(tmpdir(), "files-per-call-"));
mkdirSync(join(root, "src"));
for (let file = 0; file < 30; file++) writeFileSync(join(root, "src", `f${file}.ts`), `// ${file}\nconst word = 1;\n`);
const sandbox = createSandbox({ projectRoot: root });
const { tool } = createToolset({ sandbox, tools: ["LS", "Glob", "Grep", "Read", "Edit", "Write"] });
const spilled = createToolset({ sandbox, store: createOutputStore(sandbox) });
const long = await tool("Grep").run({ pattern: "word" });
Object.assign(long.data, { matches: Array.from({ length: 5000 }, (_, line) => ({ file: "a", line, text: "word" })) });

let count = 0;
/** @type {Record<string, [limit: number, call: () => Promise<unknown>]>} */
const CALLS = {
  LS: [20, () => tool("LS").run({ path: "src" })],
  Glob: [24, () => tool("Glob").run({ pattern: "**/*.ts" })],
  Grep: [34, () => tool("Grep").run({ pattern: "word" })],
  Read: [18, () => tool("Read").run({ path: "src/f1.ts" })],
  Edit: [30, () => tool("Edit").run({ path: "src/f1.ts", old_string: `// ${++count}`, new_string: `// ${count + 1}` })],
  Write: [28, () => tool("Write").run({ path: "src/f1.ts", content: `// ${++count}\n` })],
  spilled: [12, () => spilled.truncate("Grep", long)],
};

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
for (const [name, [limit, call]] of Object.entries(CALLS)) {
  if (name === "Edit") count = 0;
  await call();
  await session.post("Profiler.takePreciseCoverage");
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some((range) => range.count > 0)))
    .flatMap(({ url }) => /\/packages\/(.+\/src\/.+\.ts)$/u.exec(url)?.[1] ?? []);
  console.log(
    `${name}: ${files.length} (limit ${limit})${process.argv.includes("--names") ? `\n  ${files.sort().join("\n  ")}` : ""}`,
  );
}
session.disconnect();
rmSync(root, { recursive: true });
