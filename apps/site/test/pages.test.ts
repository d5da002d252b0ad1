import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readmeExamples, runExample, steady } from "@fstools/testing";
import { describe, expect, it } from "vitest";

const here = fileURLToPath(new URL("..", import.meta.url));
const pages = readdirSync(join(here, "pages")).filter((name) => name.endsWith(".md"));
const examples = pages.flatMap((page) =>
  readmeExamples(readFileSync(join(here, "pages", page), "utf8")).map((example, index) => ({
    page,
    index,
    ...example,
  })),
);

// Rule: Every program on a page of the documentation site runs, and prints what the page says.
describe("programs on the site's own pages", () => {
  it.concurrent.each(examples)("$page prints what its program $index says", async ({ code, output }) => {
    expect(steady(await runExample(here, code))).toBe(steady(output));
  });

  it("compile", { timeout: 120_000 }, async () => {
    const folder = join(here, ".examples", "compiled");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { page, index, code } of examples) writeFileSync(join(folder, `${page}-${index}.ts`), code);
    const compilerOptions = { noEmit: true };
    const config = { extends: "../../../../tsconfig.base.json", compilerOptions, include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(here, "node_modules", "typescript", "bin", "tsc");
    const compiled = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch((error: unknown) => error);
    expect(compiled).toEqual({ stdout: "", stderr: "" });
  });
});
