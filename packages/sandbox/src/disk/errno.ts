import { getSystemErrorMap } from "node:util";
import { SandboxError, type SandboxReason } from "../error.ts";

const CODES: readonly (readonly [SandboxReason, string])[] = [
  ["missing", "ENOENT ENOTDIR"],
  ["permission", "EACCES EPERM"],
  ["is_directory", "EISDIR"],
  ["not_regular", "ENXIO ENODEV"],
  ["invalid_name", "ENAMETOOLONG ELOOP"],
  [
    "io",
    "EAGAIN EBUSY EDQUOT EFBIG EINTR EIO EMFILE EMLINK ENFILE ENOMEM ENOSPC EOVERFLOW EROFS ESTALE ETIMEDOUT ETXTBSY",
  ],
];
const REASONS = new Map(CODES.flatMap(([reason, codes]) => codes.split(" ").map((code) => [code, reason])));

/** The errno code of a failed file system call, or undefined for any other error. */
export function errnoCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What a failed file system call means for the caller. */
export function reasonOf(error: unknown): SandboxReason {
  return REASONS.get(errnoCode(error) ?? "") ?? "unknown";
}

/** Code and description of an errno, such as "EIO: i/o error", without the path that Node adds. */
export function describeErrno(code: string): string {
  const [, description = "unknown system error"] =
    [...getSystemErrorMap().values()].find(([name]) => name === code) ?? [];
  return `${code}: ${description}`;
}

/** Turns a failed file system call on `path` into a SandboxError; a SandboxError is returned unchanged. */
export function fsError(error: unknown, path: string): SandboxError {
  if (error instanceof SandboxError) return error;
  const osError = describeErrno(errnoCode(error) ?? "UNKNOWN");
  return new SandboxError({ reason: reasonOf(error), path, osError, cause: error });
}
