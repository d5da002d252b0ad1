import { asToolError } from "@fstools/protocol";
import { createSandbox, SandboxError, type SandboxReason } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import {
  AccessDeniedError,
  asReadError,
  BinaryFileError,
  explainPathError,
  FileNotFoundError,
  InvalidParamError,
  OffsetOutOfRangeError,
  OpencodeReadError,
  ReadFailedError,
} from "../src/errors.ts";

const hint = "Do something else.";

describe("errors", () => {
  it.each([
    [new FileNotFoundError("/p/a", [], hint), "FileNotFoundError", "NOT_FOUND", "File not found: /p/a"],
    [new BinaryFileError("/p/a.zip"), "BinaryFileError", "BINARY_FILE", "Cannot read binary file: /p/a.zip"],
    [
      new OffsetOutOfRangeError(9, 3),
      "OffsetOutOfRangeError",
      "INVALID_PARAM",
      "Offset 9 is out of range for this file (3 lines)",
    ],
    [new InvalidParamError("No.", { hint }), "InvalidParamError", "INVALID_PARAM", "No."],
    [
      new AccessDeniedError(hint),
      "AccessDeniedError",
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    [new ReadFailedError("TIMEOUT", "No.", { hint }), "ReadFailedError", "TIMEOUT", "No."],
  ])("%s has its name, code and message", (error, name, code, message) => {
    expect(error).toBeInstanceOf(OpencodeReadError);
    expect(error).toMatchObject({ name, code, message });
    expect(String(error)).toBe(`${name}: ${message}`);
    expect(error.hint).not.toBe("");
  });

  it("lists suggestions below a missing path, and keeps the hint apart from them", () => {
    const error = new FileNotFoundError("/p/a", ["/p/b", "/p/c"], hint);
    expect(error.message).toBe("File not found: /p/a\n\nDid you mean one of these?\n/p/b\n/p/c");
    expect(error.suggestions).toEqual(["/p/b", "/p/c"]);
    expect(error.report?.text?.(0)).toBe(`${error.message}\n\n${hint}`);
  });

  it("names the offsets that a file has", () => {
    expect(new OffsetOutOfRangeError(9, 3).hint).toBe("Use an offset from 1 to 3.");
    expect(new OffsetOutOfRangeError(9, 0).hint).toBe("The file is empty.");
  });
});

function explain(reason: SandboxReason, problem: { readonly osError?: string; readonly suggestions?: string[] } = {}) {
  const { root } = fixture({ src: {} });
  const sandbox = createSandbox({ projectRoot: root, workingDir: "src" });
  const error = new SandboxError({ reason, path: "src/real", nearest: "src", ...problem });
  return { root, explained: asReadError(asToolError({ name: "read" }, explainPathError(error, "given", sandbox))) };
}

describe("explainPathError", () => {
  it.each([
    ["outside", "AccessDeniedError", "ACCESS_DENIED", "Access denied. Path must be within project root."],
    ["denied", "AccessDeniedError", "ACCESS_DENIED", "Access denied. Path must be within project root."],
    ["missing", "FileNotFoundError", "NOT_FOUND", "File not found: {root}/src/given"],
    ["not_directory", "FileNotFoundError", "NOT_FOUND", "File not found: {root}/src/given"],
    ["invalid_name", "InvalidParamError", "INVALID_PARAM", "'given' is not a valid path (EIO: i/o error)."],
    ["not_regular", "InvalidParamError", "INVALID_PARAM", "'given' is not a regular file."],
    ["permission", "ReadFailedError", "PERMISSION_DENIED", "Permission denied reading 'given'."],
    ["is_directory", "ReadFailedError", "IS_DIRECTORY", "'given' is a directory."],
    ["io", "ReadFailedError", "EXECUTION_ERROR", "Failed to read 'given' - EIO: i/o error"],
    ["unknown", "ReadFailedError", "INTERNAL_ERROR", "Failed to read 'given' - EIO: i/o error"],
  ] as const)("words %s as %s %s: %s", (reason, name, code, message) => {
    const { root, explained } = explain(reason, { osError: "EIO: i/o error" });
    expect(explained).toMatchObject({ name, code, message: message.replace("{root}", root) });
    expect(explained.hint).not.toBe("");
  });

  it("gives suggestions as absolute paths", () => {
    const { root, explained } = explain("missing", { suggestions: ["src/a.ts", "b.ts"] });
    expect(explained).toMatchObject({ suggestions: [`${root}/src/a.ts`, `${root}/b.ts`] });
    const denied = explain("outside", { suggestions: ["src/a.ts"] });
    expect(denied.explained.hint).toBe(`Use a path within the project root. Did you mean '${denied.root}/src/a.ts'?`);
  });
});
