import { describe, expect, it } from "vitest";
import { compareUnits, FLAVOURS } from "../src/flavour.ts";

describe("FLAVOURS", () => {
  const shown = { first: 11, last: 20, total: 99 };

  it.each([
    ["1.2", "bytes", "(Output truncated at 51200 bytes. Use 'offset' parameter to read beyond line 20)"],
    ["1.2", "limit", "(File has more lines. Use 'offset' parameter to read beyond line 20)"],
    ["1.2", "file", "(End of file - total 99 lines)"],
    ["1.18", "bytes", "(Output capped at 50 KB. Showing lines 11-20. Use offset=21 to continue.)"],
    ["1.18", "limit", "(Showing lines 11-20 of 99. Use offset=21 to continue.)"],
    ["1.18", "file", "(End of file - total 99 lines)"],
  ] as const)("says in %s under a page that the %s ended: %s", (version, end, notice) => {
    expect(FLAVOURS[version].notices[end](shown)).toBe(notice);
  });

  it("knows the binary extensions of each version", () => {
    const list = (version: "1.2" | "1.18") => [...FLAVOURS[version].binaryExtensions].join(" ");
    expect(list("1.2")).toBe(
      ".zip .tar .gz .bz2 .7z .rar .exe .dll .so .dylib .bin .class .jar .war .ear .pyc .pyo .pyd .obj .o .a .lib .wasm .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .pdf .jpg .jpeg .png .gif .bmp .ico .webp .mp3 .mp4 .avi .mov .mkv .ttf .otf .woff .woff2",
    );
    expect(list("1.18")).toBe(
      ".zip .tar .gz .exe .dll .so .class .jar .war .7z .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .bin .dat .obj .o .a .lib .wasm .pyc .pyo",
    );
  });

  it("orders entries without regard to case in 1.2, and by locale in 1.18", () => {
    const names = ["b", "a", "C", "é", "_x", "B", "10", "9"];
    const sorted = (version: "1.2" | "1.18") => {
      const { sortKey, compareKeys } = FLAVOURS[version];
      return [...names].sort((left, right) => compareKeys(sortKey(left), sortKey(right)));
    };
    expect(sorted("1.2")).toEqual(["10", "9", "_x", "a", "b", "B", "C", "é"]);
    expect(sorted("1.18")).toEqual([...names].sort((left, right) => left.localeCompare(right)));
  });
});

describe("compareUnits", () => {
  it.each([
    ["a", "b", -1],
    ["b", "a", 1],
    ["a", "a", 0],
    ["B", "a", -1],
  ])("puts %s and %s in order", (left, right, expected) => {
    expect(compareUnits(left, right)).toBe(expected);
  });
});
