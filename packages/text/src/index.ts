// Pages of a text file
export { createTextReader, type Reading, type TextReader } from "./page/text-reader.ts";
export type { Page, Place } from "./page/page.ts";
export { DEFAULT_SIZES, type ReadSizes } from "./page/sizes.ts";
export { fileChanged } from "./page/problems.ts";
export { FileShrankError } from "./bytes/chunks.ts";

// Encodings
export { isKnownEncoding, isUtf8Name } from "./encoding/charset.ts";

// What is known about a text
export type { FileVersion } from "./line-index/index-cache.ts";
export type { IndexedText } from "./line-index/text-index.ts";
export { createCheckpoints } from "./line-index/checkpoints.ts";
