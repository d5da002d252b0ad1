import { Buffer } from "node:buffer";
import { echo, ToolError } from "@fstools/protocol";
import type { Pacer, SandboxFile } from "@fstools/sandbox";

/** What is larger is not read at all. */
export const MAX_MEDIA_BYTES = 64 * 1024 * 1024;

const READ_AT_ONCE = 4 * 1024 * 1024;

/** All bytes of a file, in memory that can be given to a worker. */
export async function wholeBytes(file: SandboxFile, pacer: Pacer): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.from(new ArrayBuffer(file.size));
  for (let at = 0; at < bytes.length; at += READ_AT_ONCE) {
    file.read(bytes.subarray(at, at + READ_AT_ONCE), at);
    if (pacer.due()) await pacer.rest();
  }
  return bytes;
}

/** A file that would be shown if it were not for this reason. */
export function notShown({ path }: SandboxFile, reason: string): ToolError {
  return new ToolError("BINARY_FILE", `File '${echo(path.relative)}' appears to be binary.`, { hint: reason });
}
