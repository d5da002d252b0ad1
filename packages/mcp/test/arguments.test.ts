import { DEFAULT_TOOL_NAMES, TOOL_NAMES } from "@fstools/toolset";
import { describe, expect, it } from "vitest";
import { parseArguments, USAGE } from "../src/arguments.ts";

describe("parseArguments", () => {
  it("serves the usual tools over stdio, with the client's roots, unless told otherwise", () => {
    const rules = { deny: [], protect: [], defaultDeny: true, gitignore: false, media: false };
    expect(parseArguments([])).toEqual({
      roots: [],
      readRoots: [],
      tools: DEFAULT_TOOL_NAMES,
      ...rules,
      structured: false,
    });
  });

  it("takes several roots and patterns, tools, and an address", () => {
    const args = [
      "--root",
      "a",
      "--root",
      "b",
      "--read-root",
      "c",
      "--read-root",
      "d",
      "--deny",
      "*.pem",
      "--tools",
      "LS, read",
      "--structured",
      "--protect",
      "docs",
      "--no-default-deny",
      "--gitignore",
      "--media",
      "--write",
      "--http",
      "[::1]:0",
    ];
    expect(parseArguments(args)).toEqual({
      roots: ["a", "b"],
      readRoots: ["c", "d"],
      tools: ["LS", "read", "Edit", "Write", "Move", "Delete"],
      deny: ["*.pem"],
      protect: ["docs"],
      defaultDeny: false,
      gitignore: true,
      media: true,
      structured: true,
      http: { host: "::1", port: 0 },
    });
  });

  it("takes directories as they are, as other file servers do", () => {
    expect(parseArguments(["a", "--write", "b"])).toMatchObject({ roots: ["a", "b"] });
    expect(parseArguments(["a", "--root", "b"])).toMatchObject({ roots: ["b", "a"] });
  });

  it("tells the commands for people from directories of such names", () => {
    const rules = { readRoots: [], deny: [], protect: [], gitignore: false, defaultDeny: true };
    const roots = ["."];
    expect(parseArguments(["history", "--history", "h"])).toEqual({ ...rules, roots, history: "h" });
    expect(
      parseArguments(["history", "src", "--history", "h", "--limit", "5", "--root", "a", "--read-root", "b"]),
    ).toEqual({ ...rules, roots: ["a"], readRoots: ["b"], history: "h", path: "src", limit: 5 });
    expect(parseArguments(["undo", "x", "--history", "h"])).toEqual({ ...rules, roots, history: "h", undo: "x" });
    expect(parseArguments(["undo", "--since", "x", "--history", "h"])).toMatchObject({ undo: { since: "x" } });
    expect(parseArguments(["./history", "--history", "h"])).toMatchObject({ roots: ["./history"], history: "h" });
  });

  it.each([
    [["--http", "127.0.0.1"], "expected HOST:PORT, such as 127.0.0.1:3333, got '127.0.0.1'"],
    [["--http", "127.0.0.1:99999"], "expected HOST:PORT"],
    [["--tools", "ls"], "there is no tool 'ls'. Choose from LS, Glob,"],
    [["--tools", ""], "there is no tool ''"],
    [["--port", "1"], "--port"],
    [["--since", "x"], "--since and --limit are for history and undo."],
    [["history"], "history: --history DIR is missing."],
    [["history", "a", "b", "--history", "h"], "history: expected one argument, got 2."],
    [["history", "--history", "h", "--limit", "0"], "--limit: '0' is not a number."],
    [["undo", "--history", "h"], "undo: expected the ID of a change, or --since ID."],
    [["undo", "x", "--since", "y", "--history", "h"], "undo: expected the ID of a change, or --since ID."],
  ])("refuses %j", (args, message) => {
    expect(() => parseArguments(args)).toThrow(message);
  });

  it.each(["--help", "-h"])("knows %s", (flag) => {
    expect(parseArguments([flag])).toBe("help");
    for (const name of TOOL_NAMES) expect(USAGE).toContain(name);
  });

  it.each(["--version", "-v"])("knows %s", (flag) => {
    expect(parseArguments([flag])).toBe("version");
  });
});
