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
