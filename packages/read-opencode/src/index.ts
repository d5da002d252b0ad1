// The tool, with opencode's own face and behind the envelope
export { createOpencodeReadEnvelopeTool } from "./envelope-tool.ts";
export { createOpencodeReadTool, type OpencodeReadTool } from "./tool.ts";
export type { OpencodeVersion } from "./flavour.ts";
export type { OpencodeReadParams } from "./params.ts";
export type { OpencodeReadOptions } from "./reader.ts";

// What comes back
export type { Attachment } from "./attachment.ts";
export type { OpencodeReadResult } from "./format.ts";
export type { OpencodeReadData } from "./outcome.ts";

// What is thrown
export {
  AccessDeniedError,
  BinaryFileError,
  FileNotFoundError,
  InvalidParamError,
  OffsetOutOfRangeError,
  OpencodeReadError,
  ReadFailedError,
} from "./errors.ts";
