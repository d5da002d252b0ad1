import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../", import.meta.url));

/** Reads the doc comments without writing anything; rejects where one is missing. */
function readComments(...options: readonly string[]) {
  return promisify(execFile)("pnpm", ["exec", "typedoc", "--emit", "none", ...options], { cwd: folder });
}

describe("the API reference", { timeout: 120_000 }, () => {
  it("finds a doc comment at every public export", async () => {
    await readComments();
  });

  it("would fail where one is missing", async () => {
    const failure: unknown = await readComments("--options", "test/typedoc.json").catch((error: unknown) => error);
    expect(failure).toHaveProperty("code", 4);
    expect(String(failure)).toMatch(/undocumented .*does not have any documentation/u);
    expect(String(failure)).not.toMatch(/\bdocumented .*does not have any documentation/u);
  });
});
