import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { nodeArguments } from "./node-arguments.ts";

const EXAMPLE = /```ts\n(?<code>(?:(?!```)[^])*)```\n+```text\n(?<output>[^]*?)```/gu;

export interface ReadmeExample {
  readonly code: string;
  readonly output: string;
}

export function readmeExamples(markdown: string): ReadmeExample[] {
  return [...markdown.matchAll(EXAMPLE)].map(({ groups: { code = "", output = "" } = {} }) => ({ code, output }));
}

/**
 * Registers a test per runnable example of a package's README: a `ts` block directly followed by a `text` block,
 * which is what it prints. It runs in a child process, in the package's folder.
 * Times in milliseconds are compared as `Nms`.
 */
export function testReadme(testFileUrl: string): void {
  const packageFolder = dirname(dirname(fileURLToPath(testFileUrl)));
  const examples = readmeExamples(readFileSync(join(packageFolder, "README.md"), "utf8"));
  describe("README.md", () => {
    it("has examples that can be run", () => expect(examples.length).toBeGreaterThan(0));
    for (const [index, { code, output }] of examples.entries()) {
      it(`prints what example ${String(index + 1)} says`, async () => {
        const printed = await runExample(packageFolder, code);
        expect(steady(printed)).toBe(steady(output));
      });
    }
  });
}

/** Runs an example in a child process, in a folder of its own below `packageFolder`, and returns what it prints. */
export async function runExample(packageFolder: string, code: string): Promise<string> {
  // Inside the package, so that it can import itself by name.
  mkdirSync(join(packageFolder, ".examples"), { recursive: true });
  const folder = mkdtempSync(join(packageFolder, ".examples", "example-"));
  const program = `${folder}.mjs`;
  try {
    const { transform } = await import("esbuild");
    const { code: javascript } = await transform(code, { loader: "ts" });
    writeFileSync(join(folder, "example.ts"), code);
    writeFileSync(program, javascript);
    const { stdout } = await promisify(execFile)(process.execPath, nodeArguments(program), { cwd: folder });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(program, { force: true });
  }
}

export function steady(text: string): string {
  return text
    .replaceAll(/\d+ms/gu, "Nms")
    .replaceAll(/("time_ms":|time_ms:) ?\d+/gu, "$1 N")
    .trimEnd();
}
