import { Buffer } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { PhotonImage } from "@silvia-odwyer/photon-node";
import { IMAGE_LIMITS } from "@fstools/protocol";
import { createFileVersions } from "@fstools/sandbox";
import { fixture, turnsDuring } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReadTool, type ReadToolOptions } from "../../src/index.ts";
import { read } from "../support.ts";
import {
  apng,
  chunk,
  cmykJpeg,
  extendedWebp,
  gif,
  painted,
  png,
  quarters,
  quartersOf,
  withOrientation,
} from "./pictures.ts";

const small = quarters(20, 10);
const SAMPLES = {
  png: png(20, 10),
  jpg: Buffer.from(small.get_bytes_jpeg(80)),
  gif: gif(20, 10),
  webp: Buffer.from(small.get_bytes_webp()),
};
const noise = (width: number, height: number) =>
  painted(width, height, () => [Math.random() * 256, Math.random() * 256, Math.random() * 256]);

/** What Read says of a picture, and what it shows. */
async function look(bytes: Uint8Array, options: Partial<ReadToolOptions> = {}) {
  const { root } = fixture({ picture: bytes });
  const response = await read({ projectRoot: root, media: ["image"], ...options }, { path: "picture" });
  const { media } = response.status === "error" ? {} : response.data;
  return { ...response, media, shown: media && Buffer.from(media.data, "base64") };
}

// Rule: A picture is shown with the bytes of its file.
describe("a picture", () => {
  it.each([
    ["png", "PNG", "image/png"],
    ["jpg", "JPEG", "image/jpeg"],
    ["gif", "GIF", "image/gif"],
    ["webp", "WebP", "image/webp"],
  ] as const)("is shown as it is (%s)", async (sample, kind, mimeType) => {
    const bytes = SAMPLES[sample];
    const { status, text, data, stats, context } = await look(bytes);
    expect({ status, text, data }).toEqual({
      status: "success",
      text: `Read image 'picture' (${kind}, 20x10, ${bytes.length} bytes).`,
      data: {
        content: "",
        truncated: false,
        media: { mime_type: mimeType, data: bytes.toString("base64"), width: 20, height: 10 },
      },
    });
    expect(stats).toMatchObject({ file_size_bytes: bytes.length, encoding: kind.toLowerCase() });
    expect(context.truncation_skip).toBe(true);
  });

  it.each([
    ["of 16 bits", png(20, 10, { depth: 16, color: 6 })],
    ["of one bit", png(20, 10, { depth: 1, color: 0 })],
    ["in passes", png(8, 8, { interlace: 1, color: 0, pixels: Buffer.alloc(64 + 15) })],
    ["in passes, of which some are empty", png(1, 1, { interlace: 1, color: 0, pixels: Buffer.alloc(2) })],
    ["that moves", apng(20, 10)],
    ["for printers", cmykJpeg()],
    ["of the extended form", extendedWebp(SAMPLES.webp, 20, 10)],
    ["of 10,000 frames", gif(20, 10, 10_000)],
  ])("is shown %s", async (_, bytes) => {
    expect((await look(bytes)).shown).toEqual(bytes);
    // Our samples are what they should be.
    expect(() => PhotonImage.new_from_byteslice(bytes)).not.toThrow();
  });

  it("is shown without what follows it in the file", async () => {
    for (const bytes of Object.values(SAMPLES)) {
      expect((await look(Buffer.concat([bytes, Buffer.from("PK\x03\x04 and more")]))).shown).toEqual(bytes);
    }
  });

  it("is binary where the host has not asked for pictures, and where the caller names an encoding", async () => {
    const { root } = fixture({ picture: SAMPLES.png });
    for (const media of [[], ["pdf"]] as const) {
      const { error, text } = await read({ projectRoot: root, media }, { path: "picture" });
      expect(error?.code).toBe("BINARY_FILE");
      expect(text).toBe("File 'picture' appears to be binary. It is a PNG image.");
    }
    const named = await read({ projectRoot: root, media: ["image"] }, { path: "picture", encoding: "latin1" });
    expect(named.data).toMatchObject({ content: expect.stringContaining("PNG") as string });
  });

  it("is not what Edit and Write ask for", async () => {
    const { root } = fixture({ picture: SAMPLES.png });
    const versions = createFileVersions();
    const tool = createReadTool({ projectRoot: root, media: ["image"], versions });
    await tool.run({ path: "picture" });
    const record = createReadTool({ projectRoot: root, versions, media: [] });
    const { data } = await record.run({ path: "picture", encoding: "latin1" });
    expect(data).not.toHaveProperty("modified_externally");
  });

  it("asks for kinds that there are", () => {
    // @ts-expect-error There is no such kind.
    expect(() => createReadTool({ projectRoot: ".", media: ["video"] })).toThrow(
      `media may hold "image" and "pdf", but not 'video'.`,
    );
  });
});

// Rule: No damaged picture goes out: providers refuse a whole conversation because of one.
describe("a damaged picture", () => {
  const damaged: [string, Uint8Array, string][] = [
    ["with a wrong checksum", flipped(SAMPLES.png, 45), "a checksum is wrong"],
    ["with a chunk in front of the header", withoutHeader(), "its header is not where it must be"],
    ["with more pixels than it says", png(1, 1, { pixels: Buffer.alloc(2 ** 27) }), PIXELS],
    ["with fewer pixels than it says", png(2000, 2000, { pixels: Buffer.alloc(9) }), PIXELS],
    ["with colors that there are not", png(20, 10, { color: 5, pixels: Buffer.alloc(1) }), "its header is wrong"],
    ["without its palette", png(20, 10, { color: 3 }), "its header is wrong"],
    ["without a size", png(0, 10), "it does not say how large it is"],
    ["with two frames", Buffer.concat([SAMPLES.jpg.subarray(0, -2), SAMPLES.jpg]), "it has no picture, or several"],
    ["without a marker", Buffer.from("ffd8ffc0000b0800080008010111000001", "hex"), "a marker is missing"],
    ["with a frame beyond its border", gif(20, 10, 2, [20, 0]), "a frame does not fit"],
    [
      "with an unknown block",
      Buffer.concat([gif(20, 10).subarray(0, -1), Buffer.from("??")]),
      "a block is not one of a GIF",
    ],
    ["without a frame", gif(20, 10, 0), "a block is not one of a GIF"],
    ["of two sizes", extendedWebp(SAMPLES.webp, 9, 9), "it has two sizes"],
  ];

  it.each(damaged)("is binary %s", async (_, bytes, reason) => {
    const { error, text } = await look(bytes);
    expect(error?.code).toBe("BINARY_FILE");
    expect(text).toMatch(/^File 'picture' appears to be binary\. It is a \w+ image, but damaged: [\w ,]+\.$/u);
    expect(text).toContain(`damaged: ${reason}.`);
  });

  it.each(Object.keys(SAMPLES).map((kind) => [kind]))("is binary if it ends too early, wherever (%s)", async (kind) => {
    const whole = Object.entries(SAMPLES).find(([one]) => one === kind)?.[1] ?? Buffer.alloc(0);
    const { root, write } = fixture();
    const tool = createReadTool({ projectRoot: root, media: ["image"] });
    for (let length = 16; length < whole.length; length += whole.length > 500 ? 7 : 1) {
      write({ picture: whole.subarray(0, length) });
      expect(await tool.run({ path: "picture" })).toMatchObject({ status: "error", error: { code: "BINARY_FILE" } });
    }
  });

  it("is binary or what a decoder takes, whatever the header of a PNG says of its pixels", async () => {
    const { root, write } = fixture();
    const tool = createReadTool({ projectRoot: root, media: ["image"] });
    const depth = fc.constantFrom(0, 1, 2, 3, 4, 8, 16, 32);
    const length = fc.option(fc.nat(2000), { nil: undefined });
    const header = fc.record({ depth, color: fc.nat(7), interlace: fc.nat(2), length, hasPalette: fc.boolean() });
    const colors = chunk("PLTE", Buffer.from([1, 2, 3]));
    await fc.assert(
      fc.asyncProperty(header, async ({ length: bytes, hasPalette, ...says }) => {
        const pixels = bytes === undefined ? {} : { pixels: Buffer.alloc(bytes) };
        const picture = png(20, 10, { ...says, ...pixels, more: hasPalette ? [colors] : [] });
        write({ picture });
        const response = await tool.run({ path: "picture" });
        if (response.status === "error") expect(response.error.code).toBe("BINARY_FILE");
        else expect(() => PhotonImage.new_from_byteslice(picture)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

const PIXELS = "its pixels are not what its header says";

function flipped(bytes: Buffer, at: number): Buffer {
  const other = Buffer.from(bytes);
  other.writeUInt8(other.readUInt8(at) ^ 1, at);
  return other;
}

function withoutHeader(): Buffer {
  const header = SAMPLES.png.subarray(0, 33);
  return Buffer.concat([header, chunk("IHDR", header.subarray(16, 29)), SAMPLES.png.subarray(33)]);
}

// Rule: A picture that providers would refuse is made smaller, until both limits hold.
describe("a large picture", () => {
  it("is made smaller if it is too long, and the answer says so", async () => {
    const { text, media, shown = Buffer.alloc(0) } = await look(png(4000, 30));
    expect(text).toBe(
      `Read image 'picture' (PNG, 4000x30, ${png(4000, 30).length} bytes).\n` +
        `Note: Shown at 2000x15 (${shown.length} bytes), scaled down from 4000x30.`,
    );
    expect(media).toMatchObject({ mime_type: "image/png", width: 2000, height: 15 });
    const decoded = PhotonImage.new_from_byteslice(shown);
    expect([decoded.get_width(), decoded.get_height()]).toEqual([2000, 15]);
  });

  it("is encoded anew if it has too many bytes, as a JPEG where a PNG would have them too", async () => {
    const bytes = noise(1100, 1000).get_bytes();
    const { text, media, shown } = await look(bytes);
    expect(media).toMatchObject({ mime_type: "image/jpeg", width: 1100, height: 1000 });
    expect(shown?.length).toBeLessThanOrEqual(3_750_000);
    expect(text.split("\n")[1]).toBe(
      `Note: Shown at 1100x1000 (${shown?.length} bytes), encoded again from ${bytes.length} bytes.`,
    );
    expect(IMAGE_LIMITS.bytes).toBe(3_750_000);
  });

  it("is as it was held by its camera", async () => {
    const wide = quarters(2002, 40).get_bytes_jpeg(90);
    const seen = [];
    for (let orientation = 0; orientation <= 9; orientation++) {
      const { media, shown } = await look(withOrientation(wide, orientation, orientation % 2 === 0));
      seen.push(`${media?.width}x${media?.height} ${quartersOf(shown ?? Buffer.alloc(0))}`);
    }
    expect(seen).toEqual(
      [
        "2000x40 rgbw",
        "2000x40 rgbw",
        "2000x40 grwb",
        "2000x40 wbgr",
        "2000x40 bwrg",
        "40x2000 rbgw",
        "40x2000 brwg",
        "40x2000 wgbr",
        "40x2000 gwrb",
      ].concat("2000x40 rgbw"),
    );
  });

  it("is shown by its first frame if it moves", async () => {
    expect((await look(gif(2400, 20, 3))).media).toMatchObject({ mime_type: "image/png", width: 2000, height: 17 });
  });

  it("lets the event loop turn", async () => {
    expect(await turnsDuring(() => look(png(4000, 3000)))).toBeGreaterThan(10);
  });

  it.each([
    ["by its header", png(100_000, 100_000, { pixels: Buffer.alloc(9) }), "100000x100000"],
    ["by its header, as a GIF", gif(65_535, 65_535), "65535x65535"],
    ["and the decoder fails", Buffer.from("ffd8ffc0000b08000a0bb801011100ffda00080101003f0000ffd9", "hex"), "3000x10"],
  ])("is refused if it is too large %s", async (_, bytes, size) => {
    const { error, text } = await look(bytes);
    expect(error).toEqual({
      code: "INVALID_PARAM",
      message: `Image 'picture' is too large to show (${size}, ${bytes.length} bytes).`,
    });
    expect(text).toContain("Ask for a version of at most 2000x2000 pixels.");
  });

  it("is refused if there is no time", async () => {
    const { error } = await look(png(4000, 3000), { maxDurationMs: 1 });
    expect(error?.code).toBe("INVALID_PARAM");
  });

  it("is no more if its call is aborted", async () => {
    const { root } = fixture({ picture: png(6000, 6000) });
    const tool = createReadTool({ projectRoot: root, media: ["image"] });
    const controller = new AbortController();
    const answer = tool.run({ path: "picture" }, { signal: controller.signal });
    await delay(20);
    controller.abort();
    expect(await answer).toMatchObject({ error: { message: "Aborted by the caller." } });
  });
});
