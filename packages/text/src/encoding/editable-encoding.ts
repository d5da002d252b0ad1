import type { Buffer } from "node:buffer";
import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import { HEAD_BYTES, isBinary } from "./byte-order-mark.ts";
import { fileKind } from "./file-kind.ts";
import { detectEncoding, encodingNamed } from "./named-encoding.ts";
import type { TextEncoding } from "./text-encoding.ts";

/**
 * The encoding in which a file is changed: the one that is named, else what its first bytes say. `hint` is for a file of an
 * unknown kind that looks binary.
 * @throws ToolError BINARY_FILE, or INVALID_PARAM if it cannot be changed piece by piece
 */
export async function editableEncoding(
  bytes: Buffer,
  path: string,
  hint: string,
  named?: string,
): Promise<TextEncoding> {
  const head = bytes.subarray(0, HEAD_BYTES);
  const kind = fileKind(head);
  // A PDF may have no NUL, but Read does not show its bytes either.
  if (named === undefined && (isBinary(head) || kind === "a PDF document")) {
    throw new ToolError(ErrorCode.BINARY_FILE, `File '${echo(path)}' appears to be binary.`, {
      hint: kind === undefined ? hint : `It is ${kind}.`,
    });
  }
  const encoding = await (named === undefined ? detectEncoding(head) : encodingNamed(named, head));
  if (encoding.isEditable) return encoding;
  throw new ToolError(ErrorCode.INVALID_PARAM, `Files in ${echo(encoding.name)} cannot be edited.`, {
    hint: "In this encoding a byte means something else after a change before it. Replace the whole file instead.",
  });
}
