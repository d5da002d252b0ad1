export type { Attachment } from "./attachment.ts";
export type { OpencodeVersion } from "./flavour.ts";
export type { OpencodeDisplay, OpencodeReadData, OpencodeReadResult } from "./format.ts";
export type { OpencodeReadParams } from "./params.ts";
export { createOpencodeReadEnvelopeTool, createOpencodeReadTool, opencodeReadDefinition } from "./tool.ts";
export type { OpencodeReadOptions, OpencodeReadTool } from "./tool.ts";
export {
  AccessDeniedError,
  BinaryFileError,
  FileNotFoundError,
  InvalidParamError,
  OffsetOutOfRangeError,
  OpencodeReadError,
  ReadFailedError,
} from "./errors.ts";
