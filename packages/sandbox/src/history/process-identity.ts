import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errnoCode } from "../disk/errno.ts";
import type { ProcessIdentity } from "./part.ts";

/** Who says no word for so long is taken for gone, where nothing better is known. */
export const LEASE_MS = 60_000;

let own: ProcessIdentity | undefined;

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return (own ??= { pid: process.pid, start: startOf(process.pid), host: hostOf(), copy: randomUUID() });
}

/** Whether a process does not run any more; this one is asked about what it does not do any more. */
export function isGone({ pid, start, host, copy }: ProcessIdentity, lastSeenMs: number): boolean {
  const isSilent = Date.now() - lastSeenMs > LEASE_MS;
  const own = ownIdentity();
  if (host !== own.host) return isSilent;
  // Another thread of this process may be at work.
  if (pid === process.pid) return start !== own.start || copy === own.copy || isSilent;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoCode(error) === "ESRCH") return true;
  }
  const now = startOf(pid);
  return now === "" || start === "" ? isSilent : now !== start;
}

/** In ticks since the boot; "" where the system does not tell. */
function startOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in brackets, may hold anything.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function hostOf(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
