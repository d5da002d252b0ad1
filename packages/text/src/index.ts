// Pages of a text file
export { createTextReader, type ReadRequest, type TextPage, type TextReader } from "./text-reader.ts";
export { TextError, type TextProblem } from "./error.ts";

// Lines of a file, one by one
export { collectLines } from "./text-reader.ts";
export { countCodePoints, type LineEnds, type Place } from "./lines.ts";
export { countLines } from "./line-index/scan.ts";
export { heldInMemory, type ByteSource } from "./bytes/chunks.ts";

// What a file's first bytes say, and encodings
export {
  detectEncoding,
  editableEncoding,
  encodingNamed,
  encodingParam,
  fileKind,
  HEAD_BYTES,
  isBinary,
  isKnownEncoding,
  isUtf16,
  isUtf8Name,
  markedEncoding,
  type TextEncoding,
} from "./encoding/text-encoding.ts";

// Changing a file: finding passages in it, and putting others in their place
export { readEditable, STEPS_PER_CLOCK, withPlainLineEnds, type EditableText } from "./editing/editable-text.ts";
export { findMatches, findPassage, isMatch, MAX_REPLACEMENTS, mayFit } from "./editing/match.ts";
export type { EditRequest, Match, Mismatch, Replacement } from "./editing/match.ts";
export { createLineSearch, EQUIVALENCES, SAME_LINES, withoutEscapes } from "./editing/equivalence.ts";
export type { Equivalence, FittingLines, LineRule, LineSearch } from "./editing/equivalence.ts";
export { findClosest, linesBetween, type ClosestLines } from "./editing/closest.ts";
export { closestInWords, DIFFERENCES, newLines, readCall } from "./editing/line-words.ts";
export { diffContent, findUnencodable, splice } from "./editing/splice.ts";
