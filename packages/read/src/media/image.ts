import { Buffer } from "node:buffer";
import { echo, escapeText, IMAGE_LIMITS, imageSize, type Outcome, ToolError } from "@fstools/protocol";
import { createPacer, type Pacer, type SandboxFile } from "@fstools/sandbox";
import type { ReadData, ReadStats } from "../format.ts";
import { DamagedError, orientationOf, type PictureKind, soundPicture } from "./structure.ts";
import { inTurn, type JobLimits, MAX_MEDIA_BYTES, notShown, type Picture, runJob, wholeBytes } from "./worker-job.ts";

const MAX_PIXELS = 64 * 1024 * 1024;
// The pixels of the largest picture, four bytes each, three times over, and what else it takes.
const MAX_SCALING_BYTES = 1024 * 1024 * 1024;
// Every picture that is shown as it is, and enough to pass the metadata in front of the size of any other.
const HEAD_BYTES = 4 * 1024 * 1024;

/** Shows a picture, made smaller where providers would refuse it. @throws ToolError BINARY_FILE if damaged, INVALID_PARAM if too large */
export async function readImage(
  file: SandboxFile,
  kind: PictureKind,
  limits: JobLimits,
): Promise<Outcome<ReadData, ReadStats>> {
  const { path, size: fileBytes, mtimeMs } = file;
  try {
    const head = file.head(HEAD_BYTES);
    const size = imageSize(head);
    if (size === undefined || size.width * size.height === 0) throw new DamagedError("it does not say how large it is");
    const { width, height } = size;
    const isSmall = fileBytes <= IMAGE_LIMITS.bytes && Math.max(width, height) <= IMAGE_LIMITS.side;
    const pacer = createPacer(limits.signal);
    const picture = isSmall
      ? { mimeType: `image/${kind.toLowerCase()}`, bytes: await soundPicture(head, kind, pacer), ...size }
      : await inTurn(() => smaller(file, kind, width * height, limits, pacer));
    if (picture === undefined) {
      const message = `Image '${echo(path.relative)}' is too large to show (${width}x${height}, ${fileBytes} bytes).`;
      const hint = `Ask for a version of at most ${IMAGE_LIMITS.side}x${IMAGE_LIMITS.side} pixels.`;
      throw new ToolError("INVALID_PARAM", message, { hint });
    }
    const { mimeType, bytes } = picture;
    const isScaled = picture.width * picture.height < width * height;
    const made = isScaled ? `scaled down from ${width}x${height}` : `encoded again from ${fileBytes} bytes`;
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    return {
      data: {
        content: "",
        truncated: false,
        media: { mime_type: mimeType, data, width: picture.width, height: picture.height },
      },
      summary: () => [`Read image '${escapeText(path.relative)}' (${kind}, ${width}x${height}, ${fileBytes} bytes).`],
      notes: isSmall ? [] : [`Note: Shown at ${picture.width}x${picture.height} (${bytes.length} bytes), ${made}.`],
      stats: {
        lines_read: 0,
        chars_read: 0,
        file_size_bytes: fileBytes,
        file_mtime_ms: Math.floor(mtimeMs),
        encoding: kind.toLowerCase(),
      },
      pagesItself: true,
    };
  } catch (error) {
    if (error instanceof DamagedError) throw notShown(file, `It is a ${kind} image, but damaged: ${error.message}.`);
    throw error;
  }
}

/** The picture within the limits, as its camera was held; undefined if there is no way to get it. */
async function smaller(file: SandboxFile, kind: PictureKind, pixels: number, limits: JobLimits, pacer: Pacer) {
  if (pixels > MAX_PIXELS || file.size > MAX_MEDIA_BYTES) return undefined;
  const bytes = await soundPicture(await wholeBytes(file, pacer), kind, pacer);
  const orientation = kind === "JPEG" ? orientationOf(bytes) : 1;
  let picture: Picture | undefined;
  await runJob({
    ...limits,
    task: "scale",
    library: ["@silvia-odwyer", "photon-node"].join("/"),
    bytes,
    settings: { orientation, maxSide: IMAGE_LIMITS.side, maxBytes: IMAGE_LIMITS.bytes },
    maxBytes: MAX_SCALING_BYTES,
    onMessage: (message) => {
      if ("mimeType" in message) picture = message;
    },
  });
  return picture;
}
