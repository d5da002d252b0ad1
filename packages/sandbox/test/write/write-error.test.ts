import { ToolError } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { DamageError, explainWriteError } from "../../src/write/write-error.ts";

const failing = (code: string) => Object.assign(new Error(`${code}: /secret/path`), { code });

describe("explainWriteError", () => {
  it.each([
    ["EACCES", "PERMISSION_DENIED", "Permission denied writing 'a.txt'."],
    ["EPERM", "PERMISSION_DENIED", "Permission denied writing 'a.txt'."],
    ["EROFS", "PERMISSION_DENIED", "Permission denied writing 'a.txt'."],
    ["ENOSPC", "EXECUTION_ERROR", "Failed to write 'a.txt' - ENOSPC: no space left on device"],
    ["EMFILE", "EXECUTION_ERROR", "Failed to write 'a.txt' - EMFILE: too many open files"],
    ["EDQUOT", "EXECUTION_ERROR", /^Failed to write 'a\.txt' - EDQUOT: /u],
    ["ENAMETOOLONG", "INVALID_PARAM", "'a.txt' is not a valid path (ENAMETOOLONG: name too long)."],
    ["EWEIRD", "INTERNAL_ERROR", "Failed to write 'a.txt' - EWEIRD: unknown system error"],
  ])("reports %s as %s, without a path of the host", (errno, code, message) => {
    const error = explainWriteError(failing(errno), "a.txt");
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({
      code,
      message: typeof message === "string" ? message : (expect.stringMatching(message) as unknown),
    });
    expect(JSON.stringify([error, String(error)])).not.toContain("/secret");
  });

  it("says where the whole new content is, if a file could not be restored", () => {
    const error = explainWriteError(new DamageError("torn", ".fstools-0.tmp", failing("EIO")), "a.txt");
    expect(error).toMatchObject({
      code: "EXECUTION_ERROR",
      message: "Failed to write 'a.txt' - EIO: i/o error",
      hint: "The file is damaged; its whole new content is in '.fstools-0.tmp' beside it. Tell the user.",
    });
  });

  it("leaves alone what is not about writing", () => {
    const own = new ToolError("CONFLICT", "No.", { hint: "Look." });
    const other = new Error("bug");
    expect(explainWriteError(own, "a.txt")).toBe(own);
    expect(explainWriteError(other, "a.txt")).toBe(other);
  });
});
