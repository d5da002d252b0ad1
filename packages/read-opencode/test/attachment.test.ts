import { truncateSync } from "node:fs";
import { createSandbox } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { isBinaryFile, mediaType, readAttachment } from "../src/attachment.ts";
import { ReadFailedError } from "../src/errors.ts";
import { FLAVOURS } from "../src/flavour.ts";

const NAME = "a\n.pdf";
const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("mediaType", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n rest", "image/png"],
    ["\xff\xd8\xff\xe0 rest", "image/jpeg"],
    ["GIF87a", "image/gif"],
    ["GIF89a", "image/gif"],
    ["RIFF1234WEBPVP8 ", "image/webp"],
    ["%PDF-1.7\n", "application/pdf"],
  ])("knows %j by its first bytes", (start, mime) => {
    for (const flavour of Object.values(FLAVOURS)) expect(mediaType("a.txt", latin1(start), flavour)).toBe(mime);
  });

  it.each(["", "\x89PNG", " GIF89a", "RIFF1234WAVE", "WEBP", "%PDF", "plain text", "<svg/>", "BM"])(
    "takes %j for nothing that can be attached",
    (start) => {
      for (const flavour of Object.values(FLAVOURS)) expect(mediaType("a.txt", latin1(start), flavour)).toBeUndefined();
    },
  );

  it.each([
    ["a.png", "image/png"],
    ["a.JPG", "image/jpeg"],
    ["a.jpeg", "image/jpeg"],
    ["a.gif", "image/gif"],
    ["a.webp", "image/webp"],
    ["a.pdf", "application/pdf"],
    ["a.svg", undefined],
    ["a.bmp", undefined],
    [".png", undefined],
  ])("knows %s by its extension in 1.18 only: %s", (name, mime) => {
    expect(mediaType(name, latin1("text"), FLAVOURS["1.18"])).toBe(mime);
    expect(mediaType(name, latin1("text"), FLAVOURS["1.2"])).toBeUndefined();
  });
});

describe("isBinaryFile", () => {
  const controls = (count: number, of: number) => Buffer.alloc(of, "a").fill(1, 0, count);

  it.each([
    ["a.zip", true, true],
    ["src/lib.so", true, true],
    ["A.ZIP", true, true],
    ["archive.tar.gz", true, true],
    ["a.pdf", true, false],
    ["a.png", true, false],
    ["a.woff2", true, false],
    ["a.dat", false, true],
    ["a.txt", false, false],
    ["a.zip.txt", false, false],
    ["dir.zip/readme", false, false],
    [".zip", false, false],
    ["zip", false, false],
    ["a.", false, false],
  ])("says of %s by its extension: %s in 1.2, %s in 1.18", (path, older, newer) => {
    const sample = Buffer.from("text");
    expect(isBinaryFile(path, sample, FLAVOURS["1.2"])).toBe(older);
    expect(isBinaryFile(path, sample, FLAVOURS["1.18"])).toBe(newer);
  });

  it.each([
    ["nothing", Buffer.alloc(0), false],
    ["text", Buffer.from("hello\tworld\r\n\f\v"), false],
    ["text that is not ASCII", Buffer.from("漢字 é"), false],
    ["one NUL", Buffer.from("hello\0world"), true],
    ["30 % controls", controls(30, 100), false],
    ["31 % controls", controls(31, 100), true],
    ["bytes 8 and 14 to 31", Buffer.of(8, 14, 27, 31, 97, 97, 97, 97, 97, 97, 97), true],
    ["bytes 9 to 13 and 32", Buffer.of(9, 10, 11, 12, 13, 32), false],
    ["DEL and high bytes", Buffer.of(127, 128, 255), false],
  ])("judges %s", (_what, sample, expected) => {
    expect(isBinaryFile("a", sample, FLAVOURS["1.2"])).toBe(expected);
  });
});

describe("readAttachment", () => {
  async function attach(content: Buffer, size = content.length) {
    const { root, path } = fixture({ [NAME]: content });
    truncateSync(path(NAME), size);
    const sandbox = createSandbox({ projectRoot: root });
    const file = sandbox.open(await sandbox.resolve(NAME));
    try {
      return readAttachment(file, "application/pdf");
    } finally {
      file.close();
    }
  }

  it("holds the whole file in a data URL", async () => {
    const content = Buffer.from(Array.from({ length: 600_001 }, (_, index) => index % 256));
    const { type, mime, url } = await attach(content);
    expect([type, mime]).toEqual(["file", "application/pdf"]);
    const [head, base64 = ""] = url.split(",");
    expect(head).toBe("data:application/pdf;base64");
    expect(Buffer.from(base64, "base64").equals(content)).toBe(true);
  });

  it("takes 10 MiB and not a byte more", async () => {
    const limit = 10 * 1024 * 1024;
    await expect(attach(Buffer.from("%PDF-"), limit)).resolves.toMatchObject({ type: "file" });
    const failure = attach(Buffer.from("%PDF-"), limit + 1);
    await expect(failure).rejects.toBeInstanceOf(ReadFailedError);
    await expect(failure).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      message: expect.stringMatching(
        /^Cannot attach .*a\\n\.pdf: 10485761 bytes is over the limit of 10485760 bytes \(10 MiB\)\.$/u,
      ) as unknown,
    });
  });
});
