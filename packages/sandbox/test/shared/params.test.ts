import { z } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { DIRECTORY_ALIASES, FILE_ALIASES, filePathParam } from "../../src/shared/path-words.ts";

describe("filePathParam", () => {
  const path = filePathParam("The file.");

  it.each([
    [undefined, "Missing required parameter 'path'."],
    ["", "Missing required parameter 'path'."],
    [5, "path must be a string."],
  ])("%j: %s", (value, message) => {
    expect(z.safeParse(path, value).error?.issues[0]?.message).toBe(message);
  });

  it("takes a path unchanged", () => {
    expect(z.safeParse(path, " a ").data).toBe(" a ");
    expect(path.description).toBe("The file.");
  });
});

it("every alias means a path", () => {
  expect(new Set([...Object.values(FILE_ALIASES), ...Object.values(DIRECTORY_ALIASES)])).toEqual(new Set(["path"]));
});
