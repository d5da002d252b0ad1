import { ErrorCode, ToolError } from "@fstools/protocol";
import { wholeMilliseconds, type SandboxFile } from "../disk/open.ts";
import type { FileVersion } from "../versions.ts";

/** A version as the tools' answers show it. */
export interface FileState {
  readonly mtimeMs: number;
  readonly sizeBytes: number;
}

/**
 * The version that a caller named with `expected_mtime_ms` and `expected_size_bytes`, if any.
 * @throws ToolError INVALID_PARAM if only one of them is there.
 */
export function expectedVersion(params: {
  readonly expected_mtime_ms?: number | undefined;
  readonly expected_size_bytes?: number | undefined;
}): FileState | undefined {
  const { expected_mtime_ms: mtimeMs, expected_size_bytes: sizeBytes } = params;
  if (mtimeMs === undefined && sizeBytes === undefined) return undefined;
  if (mtimeMs !== undefined && sizeBytes !== undefined) return { mtimeMs, sizeBytes };
  throw new ToolError(
    ErrorCode.INVALID_PARAM,
    "expected_mtime_ms and expected_size_bytes must be given together, or neither.",
    { hint: "Pass both as the stats of an earlier answer name them (file_mtime_ms, file_size_bytes)." },
  );
}

/** Whether a file is in the state that the caller named. */
export function isInState(file: Pick<SandboxFile, "mtimeMs" | "size">, { mtimeMs, sizeBytes }: FileState): boolean {
  return file.mtimeMs === mtimeMs && file.size === sizeBytes;
}

/** A version as an answer shows it. */
export function stateOf({ mtimeNs, size }: FileVersion): FileState {
  return { mtimeMs: wholeMilliseconds(mtimeNs), sizeBytes: Number(size) };
}
