import { isToolError } from "@fstools/protocol";
import { explainPathErrors, SandboxError, type SandboxReason } from "@fstools/sandbox";
import { describe, expect, it } from "vitest";
import { lsPathWords } from "../src/path-words.ts";

function explain(reason: SandboxReason): string {
  const error = new SandboxError({ reason, path: "a/b", osError: "EIO: i/o error" });
  const explained = explainPathErrors(lsPathWords)(error, { path: "a/b" }, { has: () => true });
  return isToolError(explained) ? `${explained.code}: ${explained.message}` : "not explained";
}

describe("the words of LS", () => {
  it.each<[SandboxReason, string]>([
    ["missing", "NOT_FOUND: Path 'a/b' does not exist."],
    ["outside", "ACCESS_DENIED: Access denied. Path must be within the project root."],
    ["not_directory", "INVALID_PARAM: 'a/b' is a file, not a directory. Use 'Read' tool to view its content."],
    ["permission", "ACCESS_DENIED: Permission denied accessing 'a/b'."],
    ["io", "INTERNAL_ERROR: Failed to list directory - EIO: i/o error"],
    ["unknown", "INTERNAL_ERROR: Failed to list directory - EIO: i/o error"],
  ])("for %s: %s", (reason, expected) => {
    expect(explain(reason)).toBe(expected);
  });
});
