import { isToolError } from "@fstools/protocol";
import { explainPathErrors, SandboxError, type SandboxReason } from "@fstools/sandbox";
import { describe, expect, it } from "vitest";
import { globPathWords } from "../src/path-words.ts";

function explain(reason: SandboxReason): string {
  const error = new SandboxError({ reason, path: "a/b", osError: "EIO: i/o error" });
  const explained = explainPathErrors(globPathWords)(error, { path: "a/b" }, { has: () => true });
  return isToolError(explained) ? `${explained.code}: ${explained.message}` : "not explained";
}

describe("the words of Glob", () => {
  it.each<[SandboxReason, string]>([
    ["missing", "NOT_FOUND: Search root 'a/b' does not exist."],
    ["outside", "ACCESS_DENIED: Access denied. Path must be within project root."],
    ["not_directory", "INVALID_PARAM: Search root 'a/b' is not a directory."],
    ["permission", "PERMISSION_DENIED: Permission denied reading 'a/b'."],
  ])("for %s: %s", (reason, expected) => {
    expect(explain(reason)).toBe(expected);
  });
});
