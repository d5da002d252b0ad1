import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { binaryFile, columnOutOfRange, endlessRun, fileChanged, lineOutOfRange } from "../../src/page/problems.ts";

describe("problems", () => {
  it.each([
    [binaryFile("a", Buffer.from("fffe4100", "hex")), "BINARY_FILE", "pass encoding=utf-16le "],
    [binaryFile("a", Buffer.from("feff0041", "hex")), "BINARY_FILE", "pass encoding=utf-16be "],
    [binaryFile("a", Buffer.from("fffe0000", "hex")), "BINARY_FILE", "pass encoding=utf-32le "],
    [binaryFile("a", Buffer.from("0000feff", "hex")), "BINARY_FILE", "pass encoding=utf-32be "],
    [binaryFile("a", Buffer.from("00", "hex")), "BINARY_FILE", "Read shows text only."],
    [lineOutOfRange(9, 3, 500), "INVALID_PARAM", "Use start_line=1 to read the end of the file."],
    [lineOutOfRange(9000, 3000, 500), "INVALID_PARAM", "Use start_line=2501 to read the end of the file."],
    [lineOutOfRange(2, 0, 500), "INVALID_PARAM", "There is nothing to read in this file."],
    [columnOutOfRange(9, 4, 3), "INVALID_PARAM", "Use start_line=4 without start_column"],
    [fileChanged("a"), "EXECUTION_ERROR", "Call Read again"],
    [endlessRun("utf7"), "EXECUTION_ERROR", "Check the encoding"],
  ])("%s says what to do next", (error, code, hint) => {
    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
  });

  it("clips and escapes the caller's path", () => {
    expect(fileChanged(`a\n${"b".repeat(300)}`).message).toMatch(/^File 'a\\nb+…' changed/u);
  });
});
