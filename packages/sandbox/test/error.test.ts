import { isToolError } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { SandboxError, type SandboxReason } from "../src/error.ts";

const ALL: readonly (readonly [SandboxReason, string, string, string])[] = [
  [
    "outside",
    "ACCESS_DENIED",
    "Access denied. Path must be within the project root.",
    "Use a path inside the project root.",
  ],
  ["denied", "ACCESS_DENIED", "Access denied. A rule of the host blocks 'a/b'.", "Do not retry it"],
  ["missing", "NOT_FOUND", "Path 'a/b' does not exist.", "Check the path."],
  ["not_directory", "INVALID_PARAM", "'a/b' is not a directory.", "Pass a directory."],
  ["is_directory", "IS_DIRECTORY", "'a/b' is a directory.", "Choose a file in it."],
  ["not_regular", "INVALID_PARAM", "'a/b' is not a regular file.", "choose a regular file"],
  ["invalid_name", "INVALID_PARAM", "'a/b' is not a valid path (EIO: i/o error).", "Correct the path."],
  ["permission", "PERMISSION_DENIED", "Permission denied reading 'a/b'.", "ask the user"],
  ["io", "EXECUTION_ERROR", "Failed to read 'a/b' - EIO: i/o error", "Try again"],
  ["unknown", "INTERNAL_ERROR", "Failed to read 'a/b' - EIO: i/o error", "tell the user"],
];

describe("SandboxError", () => {
  it.each(ALL)("says what %s means and what to do next", (reason, code, message, next) => {
    const error = new SandboxError({ reason, path: "a/b", nearest: "a", osError: "EIO: i/o error" });
    expect(error).toMatchObject({ name: "SandboxError", reason, code, message });
    expect(error.hint).toContain(next);
    expect(isToolError(error)).toBe(true);
  });

  it.each([
    [["x"], "Did you mean 'x'? Check"],
    [["x", "y"], "Did you mean 'x' or 'y'? Check"],
    [["x", "y", "z"], "Did you mean 'x', 'y' or 'z'? Check"],
  ])("offers suggestions: %j", (suggestions, start) => {
    const error = new SandboxError({ reason: "missing", path: "a", suggestions });
    expect(error.hint.startsWith(start)).toBe(true);
    expect(error.suggestions).toEqual(suggestions);
  });

  it("shows names and paths escaped", () => {
    const error = new SandboxError({
      reason: "missing",
      path: "a\n[Truncated: x]",
      nearest: "b\u202e",
      suggestions: ["c\u001b[2J"],
      remark: "Said first.",
    });
    expect(error.message).toBe("Path 'a\\n[Truncated: x]' does not exist.");
    expect(error.hint).toMatch(/^Said first\. Did you mean/u);
    expect(error.hint).not.toMatch(/\p{Cc}|\u202e/u);
  });
});
