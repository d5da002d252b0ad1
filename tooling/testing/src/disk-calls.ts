import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Call = (...args: unknown[]) => unknown;

/**
 * Puts functions of one's own in the place of Node's. For a process of its own, before it loads what it tests: modules
 * take these functions by name when they are loaded.
 */
function replaceCalls(names: readonly string[], replacement: (name: string, real: Call) => Call): void {
  const originals = new Map<string, unknown>(Object.entries(fs));
  for (const name of names) {
    const real = originals.get(name) as Call;
    // `promisify` finds the names of the results under a symbol.
    const replaced = Object.defineProperties(replacement(name, real), Object.getOwnPropertyDescriptors(real));
    Object.assign(fs, { [name]: replaced });
  }
  syncBuiltinESMExports();
}

const WORDS: Readonly<Record<string, string>> = { fsync: "flush", renameSync: "rename", linkSync: "link" };

/** Records in which order flushes, renames and links are asked of the disk; for a process of its own. */
export function recordDiskCalls(nameOf: (descriptor: number) => string): string[] {
  const calls: string[] = [];
  replaceCalls(Object.keys(WORDS), (name, real) => (...args) => {
    calls.push(name === "fsync" ? `flush ${nameOf(Number(args[0]))}` : (WORDS[name] ?? name));
    return real(...args);
  });
  return calls;
}

const CHANGING = [
  ...["openSync", "writeSync", "readSync", "linkSync", "symlinkSync", "renameSync", "unlinkSync"],
  ...["mkdirSync", "rmdirSync", "fchmodSync", "ftruncateSync", "opendirSync", "readdirSync"],
  ...["lstatSync", "readlinkSync", "accessSync", "writeFileSync", "appendFileSync", "futimesSync"],
];

export interface DiskFaults {
  /** From now on the call of this number fails with EIO, once. */
  failAt(number: number): void;
  /** Ends it; returns the name of the call that failed, or "" if there were fewer. */
  stop(): string;
}

/** Counts the calls that read or change the disk, and lets one fail; for a process of its own. */
export function failDiskCalls(): DiskFaults {
  let left = Infinity;
  let failed = "";
  replaceCalls([...CHANGING, "write", "read", "fsync"], (name, real) => (...args) => {
    left -= 1;
    if (left !== 0) return real(...args);
    failed = name;
    const error = Object.assign(new Error(`EIO: i/o error, ${name}`), { code: "EIO", syscall: name });
    if (name.endsWith("Sync")) throw error;
    const done = args.at(-1) as (error: Error) => void;
    setImmediate(done, error);
    return undefined;
  });
  return {
    failAt: (number) => {
      left = number;
      failed = "";
    },
    stop: () => {
      left = Infinity;
      return failed;
    },
  };
}
