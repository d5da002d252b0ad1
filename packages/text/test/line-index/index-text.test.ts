import { Buffer } from "node:buffer";
import { createPacer } from "@fstools/sandbox";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { indexText } from "../../src/line-index/index-text.ts";
import { createPlainLineCounter } from "../../src/bytes/line-counter.ts";
import { DEFAULT_SIZES } from "../../src/page/sizes.ts";

function index(bytes: Buffer, encoding?: string, fallbackEncodings: readonly string[] = []) {
  const source = {
    size: bytes.length,
    read: (target: Uint8Array, position: number) => bytes.copy(target, 0, position),
  };
  return indexText(
    source,
    { path: "a.txt", encoding, fallbackEncodings },
    {
      ...DEFAULT_SIZES,
      counter: createPlainLineCounter(bytes.length),
      pacer: createPacer(new AbortController().signal),
    },
  );
}

const CHINESE = iconv.encode("中文\n第二行", "gb18030");

describe("indexText", () => {
  it.each<[string, Buffer, string | undefined, string[], object]>([
    ["UTF-8", Buffer.from("é\nb"), undefined, ["gb18030"], { encoding: "utf-8" }],
    ["UTF-8 with a mark", Buffer.from("\ufeffé\nb"), undefined, [], { encoding: "utf-8-sig" }],
    [
      "bad bytes",
      Buffer.from("a\n\xff", "latin1"),
      undefined,
      [],
      { encoding: "utf-8 (replace)", fallback: "replace" },
    ],
    ["a fallback that fits", CHINESE, undefined, ["gb18030"], { encoding: "gb18030", fallback: "gb18030" }],
    ["the second fallback", CHINESE, undefined, ["shift_jis", "GBK"], { encoding: "GBK", fallback: "GBK" }],
    ["the caller's encoding", CHINESE, "gb18030", [], { encoding: "gb18030" }],
    ["the caller's UTF-8", Buffer.from("a\n\xff", "latin1"), "utf-8", ["latin1"], { encoding: "utf-8" }],
  ])("settles %s", async (_name, bytes, encoding, fallbackEncodings, expected) => {
    const { fallback, encoding: used, index: made } = await index(bytes, encoding, fallbackEncodings);
    expect({ encoding: used, ...(fallback === undefined ? {} : { fallback }) }).toEqual(expected);
    expect(made.totalLines).toBe(2);
  });

  it("refuses what has a NUL, unless the caller names an encoding", async () => {
    await expect(index(Buffer.from("a\0"))).rejects.toMatchObject({ code: "BINARY_FILE" });
    await expect(index(Buffer.from("a\0"), "latin1")).resolves.toMatchObject({ encoding: "latin1" });
  });
});
