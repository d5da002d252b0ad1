import { createSandbox, SandboxError, type SandboxReason } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { explainPathError } from "../src/path-errors.ts";

function explain(reason: SandboxReason, problem: { readonly osError?: string; readonly suggestions?: string[] } = {}) {
  const { root } = fixture({ src: {} });
  const sandbox = createSandbox({ projectRoot: root, workingDir: "src" });
  const error = new SandboxError({ reason, path: "src/real", nearest: "src", ...problem });
  return { root, explained: explainPathError(error, "given", sandbox) };
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
    ["is_directory", "ReadFailedError", "IS_DIRECTORY", "Failed to read 'given' - EIO: i/o error"],
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
