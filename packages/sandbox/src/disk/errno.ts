import { getSystemErrorMap } from "node:util";
import { SandboxError, type SandboxReason } from "../error.ts";

const REASONS: Readonly<Record<string, SandboxReason>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  EACCES: "permission",
  EPERM: "permission",
  EISDIR: "is_directory",
  ENXIO: "not_regular",
  ENODEV: "not_regular",
  ENAMETOOLONG: "invalid_name",
  ELOOP: "invalid_name",
  EAGAIN: "io",
  EBUSY: "io",
  EDQUOT: "io",
  EFBIG: "io",
  EINTR: "io",
  EIO: "io",
  EMFILE: "io",
  EMLINK: "io",
  ENFILE: "io",
  ENOMEM: "io",
  ENOSPC: "io",
  EOVERFLOW: "io",
  EROFS: "io",
  ESTALE: "io",
  ETIMEDOUT: "io",
  ETXTBSY: "io",
};

/** The errno code of a failed file system call, or undefined for any other error. */
export function errnoCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What a failed file system call means for the caller. */
export function reasonOf(error: unknown): SandboxReason {
  return REASONS[errnoCode(error) ?? ""] ?? "unknown";
}

/** Code and description of an errno, such as "EIO: i/o error", without the path that Node adds. */
export function describeErrno(code: string): string {
  for (const [name, description] of getSystemErrorMap().values()) {
    if (name === code) return `${code}: ${description}`;
  }
  return `${code}: unknown system error`;
}

/** Turns a failed file system call on `path` into a SandboxError; a SandboxError is returned unchanged. */
export function fsError(error: unknown, path: string): SandboxError {
  if (error instanceof SandboxError) return error;
  const osError = describeErrno(errnoCode(error) ?? "UNKNOWN");
  return new SandboxError({ reason: reasonOf(error), path, osError, cause: error });
}
