// @ts-check
// Decodes what may be hostile: in a thread of its own, which is ended when it takes too long or too much memory. Plain
// JavaScript, so that it also runs from the sources.
import { parentPort, workerData } from "node:worker_threads";

/** @param {object} message */
function tell(message) {
  parentPort?.postMessage(message);
}

// Nothing in the file runs, and nothing outside it is looked at.
const OPTIONS = {
  isEvalSupported: false,
  enableXfa: false,
  useSystemFonts: false,
  useWorkerFetch: false,
  disableFontFace: true,
  verbosity: 0,
};

/**
 * The text of a PDF from a page on, page by page.
 * @param {{ bytes: Uint8Array, from: number }} job
 * @param {typeof import("unpdf")} library
 */
async function extractText({ bytes, from }, { getDocumentProxy }) {
  try {
    const pdf = await getDocumentProxy(bytes, OPTIONS);
    const pages = pdf.numPages;
    for (let page = from; page <= pages; page++) tell({ page, pages, text: await textOf(pdf, page) });
  } catch (error) {
    tell({ refused: error instanceof Error && error.name === "PasswordException" ? "encrypted" : "broken" });
  }
}

/**
 * The text of one page; undefined if it cannot be read, as one page may be broken where the others are not.
 * @param {Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>} pdf
 * @param {number} number
 */
async function textOf(pdf, number) {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    return text.replaceAll("\0", "");
  } catch {
    return undefined;
  }
}

const SMALLER = 0.75;
const JPEG_QUALITY = 80;

/**
 * Makes a picture smaller until both limits hold.
 * @param {{ bytes: Uint8Array, orientation: number, maxSide: number, maxBytes: number }} job
 * @param {typeof import("@silvia-odwyer/photon-node")} library
 */
function scale({ bytes, orientation, maxSide, maxBytes }, { PhotonImage, SamplingFilter, resize }) {
  let image = PhotonImage.new_from_byteslice(bytes);
  let side = Math.max(image.get_width(), image.get_height());
  for (let limit = Math.min(maxSide, side); limit >= 1; limit = Math.floor(limit * SMALLER)) {
    if (limit < side) {
      /** @param {number} length */
      const scaled = (length) => Math.max(1, Math.round((length * limit) / side));
      const smaller = resize(image, scaled(image.get_width()), scaled(image.get_height()), SamplingFilter.CatmullRom);
      image.free();
      image = smaller;
      side = limit;
    }
    const upright = turn(image, orientation, PhotonImage);
    const [width, height] = [upright.get_width(), upright.get_height()];
    const png = upright.get_bytes();
    const encoded = png.length <= maxBytes ? png : upright.get_bytes_jpeg(JPEG_QUALITY);
    const mimeType = encoded === png ? "image/png" : "image/jpeg";
    if (upright !== image) upright.free();
    if (encoded.length <= maxBytes) return tell({ mimeType, width, height, bytes: encoded });
  }
}

// What to do with the pixels, by the number in the EXIF data: 1 swaps rows and columns, 2 mirrors left and right, 4 top and
// bottom.
const TURNS = [0, 0, 2, 6, 4, 1, 3, 7, 5];

/**
 * The picture as its camera was held.
 * @param {import("@silvia-odwyer/photon-node").PhotonImage} image
 * @param {number} orientation
 * @param {typeof import("@silvia-odwyer/photon-node").PhotonImage} PhotonImage
 */
function turn(image, orientation, PhotonImage) {
  const how = TURNS[orientation] ?? 0;
  if (how === 0) return image;
  const [fromWidth, fromHeight] = [image.get_width(), image.get_height()];
  const isSwapped = (how & 1) !== 0;
  const [width, height] = isSwapped ? [fromHeight, fromWidth] : [fromWidth, fromHeight];
  const from = new Uint32Array(image.get_raw_pixels().buffer);
  const to = new Uint32Array(from.length);
  for (let y = 0, at = 0; y < height; y++) {
    const row = (how & 4) === 0 ? y : height - 1 - y;
    for (let x = 0; x < width; x++, at++) {
      const column = (how & 2) === 0 ? x : width - 1 - x;
      to[at] = from[isSwapped ? column * fromWidth + row : row * fromWidth + column] ?? 0;
    }
  }
  return new PhotonImage(new Uint8Array(to.buffer), width, height);
}

const { task, library } = workerData;
const found = await import(library).catch(() => undefined);
if (found === undefined) tell({ missing: library });
else await (task === "text" ? extractText(workerData, found) : scale(workerData, found.default ?? found));
