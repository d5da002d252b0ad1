import { readmeExamples, runExample, steady } from "@fstools/testing";
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";
import { shellProblems } from "./shell.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const here = join(root, "tooling", "checks");
const readmes = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "README.md", "**/README.md"],
  { cwd: root, encoding: "utf8" },
)
  .split("\n")
  // The demo project's README belongs to the demo, not to us.
  .filter((name) => name !== "" && !name.startsWith("apps/playground/demo/") && existsSync(join(root, name)));

function blocksOf(readme: string): CodeBlock[] {
  return codeBlocks(readFileSync(join(root, readme), "utf8"));
}

/** What is wrong with a block that is neither run nor compiled. */
function problems({ language, code, follows }: CodeBlock): string[] {
  switch (language) {
    case "ts":
      return [];
    case "text":
      return follows === "ts"
        ? []
        : ["a text block is what the ts block before it prints; use no language for a picture"];
    case "sh":
      return shellProblems(root, code);
    case "json":
      return jsonProblems(code);
    case "":
      return [];
    default:
      return [`nothing checks '${language}' blocks`];
  }
}

function jsonProblems(code: string): string[] {
  try {
    const commands = [...commandLines(JSON.parse(code))];
    return commands.flatMap((command) => shellProblems(root, command));
  } catch (error) {
    return [String(error)];
  }
}

/** The command lines in an MCP client's configuration: `command` with `args`, or an array. */
function* commandLines(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  if ("command" in value) {
    const args = "args" in value && Array.isArray(value.args) ? value.args : [];
    yield [value.command, args].flat(2).join(" ");
    return;
  }
  for (const member of Object.values(value)) yield* commandLines(member);
}

describe("code in READMEs", () => {
  // Rule: Every code block of a README is run, compiled or checked.
  it.each(readmes)("%s has no block that nothing checks", (readme) => {
    expect(blocksOf(readme).flatMap(problems)).toEqual([]);
  });

  it.each(readmes.filter((readme) => readme.startsWith("packages/")))("%s is run by its package's tests", (readme) => {
    const source = readFileSync(join(root, dirname(readme), "test", "readme.test.ts"), "utf8");
    expect(source).toContain("testReadme(import.meta.url);");
  });

  const others = readmes.filter((readme) => !readme.startsWith("packages/"));
  const examples = others.flatMap((readme) =>
    readmeExamples(readFileSync(join(root, readme), "utf8")).map((example) => ({ readme, ...example })),
  );
  it.each(examples.map((example, index) => ({ ...example, index })))(
    "$readme prints what its example $index says",
    async ({ code, output }) => {
      expect(steady(await runExample(here, code))).toBe(steady(output));
    },
  );

  it("compiles, all of it", { timeout: 120_000 }, async () => {
    const folder = join(here, ".examples", "compiled");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const blocks = readmes.flatMap((readme) =>
      blocksOf(readme)
        .filter(({ language }) => language === "ts")
        .map(({ code, line }) => ({ name: `${readme.replaceAll("/", "-")}-line-${line}.ts`, code })),
    );
    for (const { name, code } of blocks) writeFileSync(join(folder, name), `${code}\nexport {};\n`);
    const compilerOptions = { noEmit: true, noUnusedLocals: false };
    const config = { extends: "../../../../tsconfig.base.json", compilerOptions, include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "tooling", "presets", "node_modules", "typescript", "bin", "tsc");
    const compiled = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch((error: unknown) => error);
    expect(compiled).toEqual({ stdout: "", stderr: "" });
    expect(blocks.length).toBeGreaterThan(0);
  });
});

describe("the check itself", () => {
  it.each([
    ["```py\nprint(1)\n```", "nothing checks 'py' blocks"],
    ["```json\n{\n```", "SyntaxError"],
    ["```text\nhello\n```", "a text block is what the ts block before it prints"],
    ["```sh\nnpm i @fstools/nothing\n```", "no such package: @fstools/nothing"],
    ["```sh\nnpx -y pnpm@10.34.9 nothing\n```", "no such script: nothing"],
    ["```sh\nnpx -y pnpm@1.0.0 test\n```", "not the pnpm of this repository: 1.0.0"],
    ["```sh\nnpx -y @fstools/mcp --nothing\n```", "--nothing"],
    ["```sh\ngit clone https://example.com/x.git\n```", "not this repository"],
    ["```sh\nrm -rf /\n```", "nothing checks this command"],
    ['```json\n{ "x": { "command": "npx", "args": ["-y", "@fstools/mcp", "--tools", "ls"] } }\n```', "no tool 'ls'"],
  ])("notices %j", (markdown, problem) => {
    expect(codeBlocks(markdown).flatMap(problems).join()).toContain(problem);
  });
});
