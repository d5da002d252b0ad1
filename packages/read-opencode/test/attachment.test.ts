import { truncateSync } from "node:fs";
import { createPacer, createSandbox } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { attachmentKind, readAttachment } from "../src/attachment.ts";
import { ReadFailedError } from "../src/errors.ts";

const NAME = "a\n.pdf";
const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("attachmentKind", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n rest", "image/png", "Image"],
    ["\xff\xd8\xff\xe0 rest", "image/jpeg", "Image"],
    ["GIF87a", "image/gif", "Image"],
    ["GIF89a", "image/gif", "Image"],
    ["RIFF1234WEBPVP8 ", "image/webp", "Image"],
    ["%PDF-1.7\n", "application/pdf", "PDF"],
  ])("knows %j by its first bytes", (start, mime, label) => {
    expect(attachmentKind(latin1(start))).toMatchObject({ mime, label });
  });

  it.each(["", "\x89PNG", " GIF89a", "RIFF1234WAVE", "WEBP", "%PDF", "plain text", "<svg/>", "BM"])(
    "takes %j for nothing that can be attached",
    (start) => {
      expect(attachmentKind(latin1(start))).toBeUndefined();
    },
  );
});

describe("readAttachment", () => {
  const kind = { mime: "application/pdf", label: "PDF", magic: {} } as const;
  const pacer = createPacer(new AbortController().signal);

  async function attach(content: Buffer, size = content.length) {
    const { root, path } = fixture({ [NAME]: content });
    truncateSync(path(NAME), size);
    const sandbox = createSandbox({ projectRoot: root });
    const file = sandbox.open(await sandbox.resolve(NAME));
    try {
      return await readAttachment(file, kind, pacer);
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
