import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeErrno, fsError } from "../../src/disk/errno.ts";
import { SandboxError } from "../../src/error.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something about '/secret/place'`), { code, path: "/secret/place" });
}

describe("fsError", () => {
  it.each([
    ["ENOENT", "missing", "NOT_FOUND"],
    ["ENOTDIR", "missing", "NOT_FOUND"],
    ["EACCES", "permission", "PERMISSION_DENIED"],
    ["EPERM", "permission", "PERMISSION_DENIED"],
    ["ENAMETOOLONG", "invalid_name", "INVALID_PARAM"],
    ["ELOOP", "invalid_name", "INVALID_PARAM"],
    ["EISDIR", "is_directory", "IS_DIRECTORY"],
    ["ENXIO", "not_regular", "INVALID_PARAM"],
    ["ENOSPC", "io", "EXECUTION_ERROR"],
    ["EIO", "io", "EXECUTION_ERROR"],
    ["EMFILE", "io", "EXECUTION_ERROR"],
    ["ENFILE", "io", "EXECUTION_ERROR"],
    ["EAGAIN", "io", "EXECUTION_ERROR"],
    ["EROFS", "io", "EXECUTION_ERROR"],
    ["EPROTO", "unknown", "INTERNAL_ERROR"],
    ["ERR_SOMETHING", "unknown", "INTERNAL_ERROR"],
  ])("answers %s with %s, %s", (code, reason, errorCode) => {
    expect(fsError(systemError(code), "a.txt")).toMatchObject({ reason, code: errorCode });
  });

  // Rule: An operating-system error is shown as code and description, without a path.
  it("gives code and description of the system's error, and no path", () => {
    const error = fsError(systemError("EIO"), "a.txt");
    expect(error.osError).toBe("EIO: i/o error");
    expect(error.message).toBe("Failed to read 'a.txt' - EIO: i/o error");
    expect(error.hint).not.toContain("/secret");
  });

  it("keeps the original as the cause", () => {
    try {
      readFileSync("/no/such/file");
    } catch (error) {
      expect(fsError(error, "x").cause).toBe(error);
    }
    expect.assertions(1);
  });

  it("lets a SandboxError through", () => {
    const error = new SandboxError({ reason: "denied", path: "a" });
    expect(fsError(error, "b")).toBe(error);
  });

  it("takes an exception without errno for an unknown failure", () => {
    expect(fsError(new RangeError("/secret/place"), "a")).toMatchObject({
      reason: "unknown",
      message: "Failed to read 'a' - UNKNOWN: unknown error",
    });
  });
});

describe("describeErrno", () => {
  it("says so when it does not know a code", () => {
    expect(describeErrno("ERR_X")).toBe("ERR_X: unknown system error");
  });
});
