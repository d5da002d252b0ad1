import { ErrorCode, isToolError, type ToolError } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { explainPathErrors, type PathWords } from "../../src/shared/path-words.ts";
import { SandboxError, type SandboxReason } from "../../src/error.ts";

const WORDS: PathWords = {
  lister: "list",
  reader: "show",
  missing: (path) => `No ${path}.`,
  outside: "Not in here.",
  notDirectory: (path) => `${path} is no directory.`,
  isDirectory: (path) => `${path} is one.`,
  permission: (path) => ({ code: ErrorCode.ACCESS_DENIED, message: `Not allowed: ${path}.` }),
  failure: (osError) => ({ code: ErrorCode.INTERNAL_ERROR, message: `Broken: ${osError}` }),
};

function explained(words: PathWords, reason: SandboxReason, path?: string, tools = ["list", "show"]): ToolError {
  const problem = { reason, path: "real/path", nearest: "real", osError: "EIO: i/o error", suggestions: ["b"] };
  const call = { has: (tool: string) => tools.includes(tool) };
  const explanation = explainPathErrors(words)(new SandboxError(problem), path === undefined ? {} : { path }, call);
  if (!isToolError(explanation)) throw new TypeError("Expected a ToolError.");
  return explanation;
}

describe("explainPathErrors", () => {
  it.each<[SandboxReason, string, string]>([
    ["missing", "NOT_FOUND", "No a.txt."],
    ["outside", "ACCESS_DENIED", "Not in here."],
    ["denied", "ACCESS_DENIED", "Access denied. A rule of the host blocks 'a.txt'."],
    ["not_directory", "INVALID_PARAM", "a.txt is no directory."],
    ["is_directory", "IS_DIRECTORY", "a.txt is one."],
    ["not_regular", "INVALID_PARAM", "'a.txt' is not a regular file."],
    ["invalid_name", "INVALID_PARAM", "'a.txt' is not a valid path (EIO: i/o error)."],
    ["permission", "ACCESS_DENIED", "Not allowed: a.txt."],
    ["io", "INTERNAL_ERROR", "Broken: EIO: i/o error"],
    ["unknown", "INTERNAL_ERROR", "Broken: EIO: i/o error"],
  ])("words %s as the tool does, with the caller's path", (reason, code, message) => {
    expect(explained(WORDS, reason, "a.txt")).toMatchObject({ code, message });
  });

  it.each<[SandboxReason, string, string]>([
    ["not_directory", "INVALID_PARAM", "'a.txt' is not a directory."],
    ["is_directory", "IS_DIRECTORY", "'a.txt' is a directory."],
    ["permission", "PERMISSION_DENIED", "Permission denied reading 'a.txt'."],
    ["io", "EXECUTION_ERROR", "Failed to read 'a.txt' - EIO: i/o error"],
    ["unknown", "INTERNAL_ERROR", "Failed to read 'a.txt' - EIO: i/o error"],
  ])("has words of its own for %s", (reason, code, message) => {
    const { missing, outside } = WORDS;
    expect(explained({ missing, outside }, reason, "a.txt")).toMatchObject({ code, message });
  });

  it("keeps the hint and the original error", () => {
    const error = explained(WORDS, "missing", "a.txt");
    expect(error.hint).toContain("Did you mean 'b'?");
    expect(error.cause).toBeInstanceOf(SandboxError);
  });

  it("passes on what the caller may have meant", () => {
    expect(explained(WORDS, "missing", "a.txt").suggestions).toEqual(["b"]);
  });

  it.each<[SandboxReason, readonly string[], string]>([
    ["outside", ["list"], "Use a path inside the project root: run list on 'real' to see what is there."],
    ["outside", [], "Use a path inside the project root."],
    ["denied", ["list"], "Do not retry it; run list on 'real' to see what is available."],
    ["denied", [], "Do not retry it; choose another path."],
    ["missing", ["list"], "Check the path, or run list on 'real' to see what is there."],
    ["missing", ["show"], "Check the path."],
    ["not_directory", ["show"], "Run show on 'a' to view it, or pass a directory."],
    ["not_directory", ["list"], "Pass a directory."],
    ["is_directory", ["list"], "Run list on 'a' to see what is there."],
    ["is_directory", [], "Choose a file in it."],
    ["invalid_name", ["list"], "Correct the path, or run list on 'real' to see what is there."],
    ["invalid_name", [], "Correct the path."],
  ])("advises for %s, given %j: %s", (reason, tools, hint) => {
    expect(explained(WORDS, reason, "a", [...tools]).hint).toBe(`Did you mean 'b'? ${hint}`);
  });

  it.each<[SandboxReason, PathWords]>([
    ["not_directory", { ...WORDS, notDirectory: (path) => `${path} is a file. Use show.` }],
    ["is_directory", { ...WORDS, isDirectory: (path) => `${path} is a directory. Use list.` }],
  ])("says the next step once where the tool's own sentence for %s has it", (reason, words) => {
    expect(explained(words, reason, "a").hint).toMatch(
      /^Did you mean 'b'\? (?:Pass a directory|Choose a file in it)\.$/u,
    );
  });

  it("escapes and clips the path", () => {
    expect(explained(WORDS, "missing", "a\nb" + "x".repeat(300)).message).toMatch(/^No a\\nbx{190,}….$/u);
  });

  it("says '.' when the caller gave no path", () => {
    expect(explained(WORDS, "missing")).toMatchObject({ message: "No .." });
  });

  it("returns any other error as it is", () => {
    const other = new Error("x");
    expect(explainPathErrors(WORDS)(other, { path: "a" }, { has: () => true })).toBe(other);
  });
});
