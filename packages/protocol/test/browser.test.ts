import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { ENVELOPES } from "./samples.ts";

const ENTRY = `
  import { z } from "zod";
  import { checkResponse, createTruncator, defineTool, fromLegacy, renderForModel } from "./src/index.ts";
  globalThis.result = (async () => {
    const tool = defineTool({
      name: "Count",
      description: "Counts.",
      input: z.strictObject({ to: z.int().max(100000) }),
      run: async ({ to }) => ({ data: { numbers: Array.from({ length: to }, (_, n) => n) }, summary: () => ["Counted."] }),
    });
    const chunks = [];
    const store = { save: async (_, parts) => { for (const part of parts) chunks.push(part.length); return "tool-output/x.json"; } };
    const truncate = createTruncator({ store });
    const cut = await truncate("Count", await tool.run({ to: 20000 }));
    const aborted = await tool.run({ to: 1 }, { signal: AbortSignal.abort() });
    return JSON.stringify({
      globals: [typeof process, typeof Buffer, typeof global, typeof setImmediate],
      cut: { status: cut.status, lines: cut.data.truncation.kept_lines },
      allSaved: chunks.reduce((a, b) => a + b, 0) === cut.data.truncation.original_bytes,
      rendered: renderForModel(cut).length > 1000,
      wrong: (await tool.run({ too: 3 })).error,
      aborted: aborted.error,
      violations: [cut, aborted, fromLegacy({ error: "Error: boom" })].flatMap((response) => checkResponse(response)),
    });
  })();
`;

async function bundle(contents: string): Promise<string> {
  const packageFolder = fileURLToPath(new URL("..", import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: packageFolder, loader: "ts" },
    bundle: true,
    format: "iife",
    platform: "browser",
    conditions: ["@fstools/source"],
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** What every browser has, and nothing of Node's. */
function browserLike(): vm.Context {
  return vm.createContext({
    AbortController,
    AbortSignal,
    DOMException,
    TextDecoder,
    TextEncoder,
    URL,
    clearTimeout,
    performance,
    setTimeout,
  });
}

// Rule: Protocol runs in a browser, without any Node global.
it("runs in a browser: bundled, without any Node global", async () => {
  const result: unknown = await vm.runInContext(`${await bundle(ENTRY)}; globalThis.result`, browserLike());
  expect(JSON.parse(String(result))).toEqual({
    globals: ["undefined", "undefined", "undefined", "undefined"],
    cut: { status: "partial", lines: 2000 },
    allSaved: true,
    rendered: true,
    wrong: { code: "INVALID_PARAM", message: "Missing required parameter 'to'." },
    aborted: { code: "EXECUTION_ERROR", message: "Aborted by the caller." },
    violations: [],
  });
});

it("would notice a Node module", async () => {
  await expect(bundle('import { readFileSync } from "node:fs"; readFileSync("x");')).rejects.toThrow("node:fs");
});

it("would notice a Node global", async () => {
  const code = await bundle(`globalThis.result = Buffer.from(${JSON.stringify(ENVELOPES.ls.text)}).length;`);
  expect(() => vm.runInContext(code, browserLike()) as unknown).toThrow("Buffer is not defined");
});
