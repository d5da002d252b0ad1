import { describe, expect, it } from "vitest";
import { readParams } from "../../src/params/read-params.ts";

describe("readParams", () => {
  const long = "é".repeat(2049);
  const params = { path: "a", content: long, edits: [{ old_string: long, new_string: "é".repeat(2048) }] };

  it("keeps what was sent, as it was sent", () => {
    expect(readParams(params).paramsInput).toEqual(params);
    expect(readParams('{"path": "a"}')).toEqual({ paramsInput: '{"path": "a"}', entries: [["path", "a"]] });
  });

  it("keeps of strings over 4 KiB only their size, if asked to", () => {
    const { paramsInput, entries } = readParams(params, { shortensStrings: true });
    const size = { truncated: true, bytes: 4098 };
    expect(paramsInput).toEqual({
      path: "a",
      content: size,
      edits: [{ old_string: size, new_string: "é".repeat(2048) }],
    });
    expect(entries).toEqual(Object.entries(params));
  });
});
