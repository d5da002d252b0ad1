import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../", import.meta.url));

/** Reads the doc comments without writing anything; rejects where one is missing. */
function readComments(options: string) {
  const typedoc = ["node_modules/typedoc/bin/typedoc", "--emit", "none", "--options", options];
  return promisify(execFile)(process.execPath, typedoc, { cwd: folder });
}

describe("the API reference", () => {
  it("finds a doc comment at every public export", async () => {
    await readComments("src/api/typedoc.config.js");
  });

  it("would fail where one is missing", async () => {
    const failure: unknown = await readComments("test/api/typedoc.json").catch((error: unknown) => error);
    expect(failure).toHaveProperty("code", 4);
    expect(String(failure)).toMatch(/undocumented .*does not have any documentation/u);
    expect(String(failure)).not.toMatch(/\bdocumented .*does not have any documentation/u);
  });
});
