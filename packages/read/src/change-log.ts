import type { FileVersion } from "@fstools/text";
import { createRecentMap } from "@fstools/sandbox";

/** Remembers which version of a file was read last. */
export interface ChangeLog {
  /** Records a reading; true if the file changed since the last one. */
  record(path: string, version: FileVersion): boolean;
}

const MAX_PATHS = 4096;

/** An empty log. */
export function createChangeLog(): ChangeLog {
  const versions = createRecentMap<string>(MAX_PATHS);
  return {
    record: (path, { device, inode, size, mtimeMs }) => {
      const version = [device, inode, size, mtimeMs].join(":");
      const last = versions.get(path);
      versions.set(path, version);
      return last !== undefined && last !== version;
    },
  };
}
