// Pages of a text file
export { createTextReader, type ReadRequest, type TextPage, type TextReader } from "./text-reader.ts";
export type { Page, PageRequest } from "./page.ts";
export { TextError, type TextProblem } from "./error.ts";

// Lines of a file, one by one
export { collectLines, type CollectedLines } from "./text-reader.ts";
export type { LineEnds, LineRequest, Place } from "./lines/lines.ts";
export { countLines, type SeekOptions } from "./line-index/scan.ts";
export { createLineMap, type LineMap } from "./lines/line-map.ts";
export type { TextPosition } from "./line-index/checkpoints.ts";
export type { ByteSource } from "./bytes/head.ts";

// What a file's first bytes tell
export { heldInMemory } from "./bytes/chunks.ts";
export { readHead } from "./bytes/head.ts";
export { fileKind, HEAD_BYTES, isBinary, markedEncoding, type MarkedEncoding } from "./bytes/head.ts";

// Encodings
export {
  canEncode,
  decodeText,
  detectEncoding,
  encodingNamed,
  isKnownEncoding,
  isUtf8Name,
  type TextEncoding,
} from "./encoding/text-encoding.ts";
export { encodingParam } from "./encoding/encoding-param.ts";

// Characters
export { countCodePoints, firstCodePoints, withoutCodePoints } from "./lines/lines.ts";
