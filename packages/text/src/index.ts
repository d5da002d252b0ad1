// Pages of a text file
export { createTextReader, type ReadRequest, type TextPage, type TextReader } from "./text-reader.ts";
export { TextError, type TextProblem } from "./error.ts";

// Lines of a file, one by one
export { collectLines, type CollectedLines } from "./text-reader.ts";
export type { LineEnds, LineRequest, Page, PageRequest, Place } from "./lines.ts";
export { countLines, type SeekOptions } from "./line-index/scan.ts";
export { createLineMap, type LineMap } from "./line-map.ts";
export type { TextPosition } from "./line-index/checkpoints.ts";
export { heldInMemory, type ByteSource } from "./bytes/chunks.ts";

// What a file's first bytes say
export { fileKind } from "./encoding/file-kind.ts";
export { HEAD_BYTES, isBinary, markedEncoding, type MarkedEncoding } from "./encoding/text-encoding.ts";

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
export { countCodePoints, firstCodePoints, withoutCodePoints } from "./lines.ts";
