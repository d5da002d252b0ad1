import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonCopy } from "../../src/json.ts";
import { readParams } from "../../src/params/read.ts";

describe("readParams", () => {
  const long = "é".repeat(2049);
  const params = { path: "a", content: long, edits: [{ old_string: long, new_string: "é".repeat(2048) }] };

  it("keeps what was sent, as it was sent", () => {
    expect(readParams(params).paramsInput).toEqual(params);
    expect(readParams('{"path": "a"}')).toEqual({ paramsInput: '{"path": "a"}', entries: [["path", "a"]] });
  });

  it("keeps only the size of strings over 4 KiB, if asked to", () => {
    const { paramsInput, entries } = readParams(params, { shortensStrings: true });
    const size = { truncated: true, bytes: 4098 };
    expect(paramsInput).toEqual({
      path: "a",
      content: size,
      edits: [{ old_string: size, new_string: "é".repeat(2048) }],
    });
    expect(entries).toEqual(Object.entries(params));
  });

  it("reads any parameters as they are, and records a copy", () => {
    const size = { maxLength: 1400 };
    const leaf = fc.oneof(fc.string(size), fc.double(), fc.boolean(), fc.constant(null), fc.bigInt(), fc.object());
    const names = fc.oneof(fc.constantFrom("path", "__proto__", "toJSON", "length"), fc.string(size));
    fc.assert(
      fc.property(fc.array(fc.tuple(names, leaf)), fc.boolean(), (entries, shortensStrings) => {
        const values = Object.fromEntries(entries);
        const read = readParams(values, { shortensStrings });
        expect(read.entries).toEqual(Object.entries(values));
        expect(read.paramsInput).toEqual(jsonCopy(values));
        expect(read.paramsInput).not.toBe(values);
      }),
    );
  });
});
