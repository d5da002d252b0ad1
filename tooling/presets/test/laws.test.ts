import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";
import { onlySandboxTouchesTheDisk, protocolIsPure } from "../src/eslint.js";

const root = new URL("../../../", import.meta.url);

async function complaints(file: string, code: string): Promise<string[]> {
  const eslint = new ESLint({
    cwd: root.pathname,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ["**/*.ts"], languageOptions: { sourceType: "module" } },
      ...protocolIsPure,
      ...onlySandboxTouchesTheDisk,
    ],
  });
  const [result] = await eslint.lintText(code, { filePath: new URL(file, root).pathname });
  return result?.messages.map(({ message }) => message) ?? [];
}

describe("laws", () => {
  // Rule: Protocol imports no `node:` module and uses no Node global.
  it.each([
    'import { join } from "node:path";',
    'import { readFileSync } from "node:fs";',
    'export { Buffer } from "node:buffer";',
    'import fs from "fs";',
    'import { readFile } from "fs/promises";',
    'import { join } from "path";',
    'import { createHash } from "crypto";',
    'import "node:anything-new";',
    'const fs = await import("node:fs");',
    'const path = await import("path");',
    'export const bytes = Buffer.from("x");',
    "export const here = process.cwd();",
    "setImmediate(() => {});",
  ])("protocol is pure: %s", async (code) => {
    expect((await complaints("packages/protocol/src/x.ts", code)).join()).toMatch(/protocol is pure/u);
  });

  // Rule: Only sandbox imports `node:fs` or `node:path`.
  it.each([
    'import { readFileSync } from "node:fs";',
    'import { readFile } from "node:fs/promises";',
    'import fs from "fs";',
    'import { join } from "node:path";',
    'import { posix } from "path/posix";',
    'import { readFile } from "fs/promises";',
    'import { join } from "path";',
    'import { win32 } from "node:path/win32";',
    'const fs = await import("node:fs");',
    'const fs = await import("fs/promises");',
    'export * from "node:path";',
  ])("only sandbox touches the disk: %s", async (code) => {
    expect((await complaints("packages/ls/src/x.ts", code)).join()).toMatch(/Only @fstools\/sandbox/u);
    expect(await complaints("packages/sandbox/src/x.ts", code)).toEqual([]);
  });

  it("leaves what is allowed alone", async () => {
    expect(await complaints("packages/protocol/src/x.ts", "export const encoder = new TextEncoder();")).toEqual([]);
    expect(await complaints("packages/protocol/src/x.ts", 'import { z } from "zod";')).toEqual([]);
    expect(await complaints("packages/protocol/src/x.ts", 'import { pathOf } from "./path.ts";')).toEqual([]);
    expect(await complaints("packages/read/src/x.ts", 'import picomatch from "picomatch";')).toEqual([]);
    expect(await complaints("packages/read/src/x.ts", 'import { isUtf8 } from "node:buffer";')).toEqual([]);
    expect(await complaints("packages/ls/test/x.ts", 'import { join } from "node:path";')).toEqual([]);
  });
});
