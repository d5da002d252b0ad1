// Pages of a text file
export { createTextReader, type ReadRequest, type TextPage, type TextReader } from "./text-reader.ts";
export { TextError, type TextProblem } from "./error.ts";

// Lines of a file, one by one
export { collectLines, type CollectedLines } from "./text-reader.ts";
export type { LineEnds, LineRequest, Page, PageRequest, Place } from "./lines.ts";
export { countLines, type SeekOptions, type TextPosition } from "./line-index/scan.ts";
export { heldInMemory, type ByteSource } from "./bytes/chunks.ts";

// What a file's first bytes say, and encodings
export { editableEncoding, fileKind } from "./encoding/file-encoding.ts";
export {
  canEncode,
  decodeText,
  detectEncoding,
  encodingNamed,
  encodingParam,
  HEAD_BYTES,
  isBinary,
  isKnownEncoding,
  isUtf16,
  isUtf8Name,
  markedEncoding,
  type MarkedEncoding,
  type TextEncoding,
} from "./encoding/text-encoding.ts";

// Changing a file: finding passages in it, and putting others in their place
export {
  lineText,
  readEditable,
  STEPS_PER_CLOCK,
  withPlainLineEnds,
  type EditableText,
  type LineStarts,
  type Range,
} from "./editing/editable-text.ts";
export {
  findMatches,
  findPassage,
  isMatch,
  MAX_REPLACEMENTS,
  mayFit,
  type EditRequest,
  type Match,
  type Mismatch,
  type Replacement,
} from "./editing/match.ts";
export {
  createLineSearch,
  EQUIVALENCES,
  SAME_LINES,
  withoutEscapes,
  type Equivalence,
  type FittingLines,
  type LineRule,
  type LineSearch,
  type WantedLines,
} from "./editing/equivalence.ts";
export type { Passage } from "./editing/line-numbers.ts";
export { findClosest, linesBetween, type ClosestLines } from "./editing/closest.ts";
export { lineList, lineNumbers, MAX_LISTED_PLACES, type LineRange } from "@fstools/sandbox";
export { closestInWords, fallbackReason, newLines, readCall } from "./editing/line-words.ts";
export { diffContent, findUnencodable, splice, SpliceError, type SplicedFile } from "./editing/splice.ts";

// Characters
export { countCodePoints, firstCodePoints, withoutCodePoints } from "./lines.ts";
