/** Whether files of a project may be changed, and why (not). */
export interface WriteMode {
  readonly writable: boolean;
  readonly reason: string;
}

/** Decides whether tools that write are offered. Nothing is asked of the project for it: git runs what a repository says. */
export function writeModeOf(write: boolean): WriteMode {
  return write
    ? { writable: true, reason: "--write was given." }
    : { writable: false, reason: "--write offers tools that change files; the demo has them." };
}
