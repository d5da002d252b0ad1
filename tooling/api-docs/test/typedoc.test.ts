import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../", import.meta.url));

describe("the check of the API reference", () => {
  it("fails where a public export has no doc comment", { timeout: 120_000 }, async () => {
    const args = ["typedoc", "--emit", "none", "--options", "test/typedoc.json"];
    const failure: unknown = await promisify(execFile)("pnpm", ["exec", ...args], { cwd: folder }).catch(
      (error: unknown) => error,
    );
    expect(failure).toHaveProperty("code", 4);
    expect(String(failure)).toMatch(/undocumented .*does not have any documentation/u);
    expect(String(failure)).not.toMatch(/\bdocumented .*does not have any documentation/u);
  });
});
