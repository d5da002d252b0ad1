import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * Records in which order flushes, renames and links are asked of the disk.
 *
 * For a process of its own, before it loads what it tests: modules take these functions by name when they are loaded.
 */
export function recordDiskCalls(nameOf: (descriptor: number) => string): string[] {
  const calls: string[] = [];
  const { fsync, renameSync, linkSync } = fs;
  Object.assign(fs, {
    fsync: (descriptor: number, done: fs.NoParamCallback) => {
      calls.push(`flush ${nameOf(descriptor)}`);
      fsync(descriptor, done);
    },
    renameSync: (from: string, to: string) => {
      calls.push("rename");
      renameSync(from, to);
    },
    linkSync: (from: string, to: string) => {
      calls.push("link");
      linkSync(from, to);
    },
  });
  syncBuiltinESMExports();
  return calls;
}

const CHANGING = [
  ...["openSync", "writeSync", "readSync", "linkSync", "symlinkSync", "renameSync", "unlinkSync"],
  ...["mkdirSync", "rmdirSync", "fchmodSync", "ftruncateSync", "opendirSync", "readdirSync"],
  ...["lstatSync", "readlinkSync", "accessSync", "writeFileSync", "appendFileSync", "futimesSync"],
] as const;
const CHANGING_LATER = ["write", "read", "fsync"] as const;

/** Lets one disk call fail. */
export interface DiskFaults {
  /** From now on the call of this number fails with EIO, once. */
  failAt(number: number): void;
  /** Ends it; returns the name of the call that failed, or "" if there were fewer. */
  stop(): string;
}

/** Counts the calls that read or change the disk, and lets one fail; as {@link recordDiskCalls}, for a process of its own. */
export function failDiskCalls(): DiskFaults {
  let left = Infinity;
  let failed = "";
  const failure = (name: string): Error | undefined => {
    left -= 1;
    if (left !== 0) return undefined;
    failed = name;
    return Object.assign(new Error(`EIO: i/o error, ${name}`), { code: "EIO", syscall: name });
  };
  const originals = new Map<string, unknown>(Object.entries(fs));
  const functions = new Map<string, unknown>();
  for (const name of CHANGING) {
    const real = originals.get(name) as (...args: unknown[]) => unknown;
    functions.set(name, (...args: unknown[]) => {
      const error = failure(name);
      if (error !== undefined) throw error;
      return real(...args);
    });
  }
  for (const name of CHANGING_LATER) {
    const real = originals.get(name) as (...args: unknown[]) => unknown;
    const replaced = (...args: unknown[]) => {
      const error = failure(name);
      if (error === undefined) return real(...args);
      const done = args.at(-1) as (error: Error) => void;
      setImmediate(done, error);
      return undefined;
    };
    // `promisify` finds the names of the results under a symbol.
    functions.set(name, Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(real)));
  }
  Object.assign(fs, Object.fromEntries(functions));
  syncBuiltinESMExports();
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
