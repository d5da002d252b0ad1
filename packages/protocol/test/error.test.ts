import { describe, expect, it } from "vitest";
import { ErrorCode, isToolError, ToolError } from "../src/index.ts";

describe("ErrorCode", () => {
  it("has the ten standard codes", () => {
    expect(Object.values(ErrorCode).sort()).toEqual([
      "ACCESS_DENIED",
      "BINARY_FILE",
      "CONFLICT",
      "EXECUTION_ERROR",
      "INTERNAL_ERROR",
      "INVALID_PARAM",
      "IS_DIRECTORY",
      "NOT_FOUND",
      "PERMISSION_DENIED",
      "TIMEOUT",
    ]);
    for (const [name, value] of Object.entries(ErrorCode)) expect(value).toBe(name);
  });
});

describe("ToolError", () => {
  it("carries code, message, hint and cause", () => {
    const cause = new Error("below");
    const error = new ToolError("NOT_FOUND", "Gone.", { hint: "Look elsewhere.", cause });
    expect(error).toMatchObject({ name: "ToolError", code: "NOT_FOUND", message: "Gone.", hint: "Look elsewhere." });
    expect(error.cause).toBe(cause);
  });

  // Rule: An error without a hint cannot be built.
  it.each(["", "  \n"])("cannot be built without a hint: %j", (hint) => {
    expect(() => new ToolError("NOT_FOUND", "Gone.", { hint })).toThrow(TypeError);
  });

  it("needs no hint if its report brings its own text", () => {
    expect(new ToolError("TIMEOUT", "Late.", { hint: "", report: { text: () => "Own." } }).hint).toBe("");
  });
});

describe("isToolError", () => {
  it("knows its own, subclasses included", () => {
    class SpecialError extends ToolError {}
    expect(isToolError(new ToolError("TIMEOUT", "Late.", { hint: "Wait." }))).toBe(true);
    expect(isToolError(new SpecialError("TIMEOUT", "Late.", { hint: "Wait." }))).toBe(true);
  });

  it("knows an error from another copy of the package", () => {
    const foreign = Object.assign(new Error("Late."), {
      [Symbol.for("@fstools/protocol/ToolError")]: true,
      code: "TIMEOUT",
      hint: "Wait.",
    });
    expect(isToolError(foreign)).toBe(true);
  });

  it.each([new Error("x"), { code: "NOT_FOUND", message: "x", hint: "y" }, "NOT_FOUND", null, undefined, 3])(
    "refuses what only looks like one: %o",
    (value) => {
      expect(isToolError(value)).toBe(false);
    },
  );
});
