// The tool, with opencode's own face and behind the envelope
export { createOpencodeReadEnvelopeTool, opencodeReadDefinition, type OpencodeReadData } from "./envelope-tool.ts";
export { createOpencodeReadTool, type OpencodeReadOptions, type OpencodeReadTool } from "./tool.ts";
export type { OpencodeVersion } from "./flavour.ts";
export type { OpencodeReadParams } from "./params.ts";

// What comes back
export type { Attachment } from "./attachment.ts";
export type { OpencodeDisplay, OpencodeReadResult } from "./format.ts";

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
