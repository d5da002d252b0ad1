import { describe, expect, it } from "vitest";
import {
  AccessDeniedError,
  BinaryFileError,
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
