import { createRecentMap, type SandboxFile } from "@fstools/sandbox";

import type { IndexedText } from "./text-index.ts";

/** What identifies one version of a file. */
export type FileVersion = Pick<SandboxFile, "device" | "inode" | "size" | "mtimeMs">;

/** The indexes of recently read big files. */
export interface IndexCache {
  /** The index of this version of a file, read with this `encoding` parameter. */
  get(version: FileVersion, encoding: string | undefined): IndexedText | undefined;
  /** Keeps an index that was begun at `startedAtMs`, unless the file is small or was still changing then. */
  keep(version: FileVersion, encoding: string | undefined, text: IndexedText, startedAtMs: number): void;
}

// A writer that follows at once may leave size and time of change as they are.
const SETTLED_AFTER_MS = 2000;
const MAX_FILES = 32;

/** A cache of indexes of files above `indexedFileBytes`. */
export function createIndexCache(indexedFileBytes: number): IndexCache {
  const texts = createRecentMap<IndexedText>(MAX_FILES);
  return {
    get: (version, encoding) => texts.get(keyOf(version, encoding)),
    keep: (version, encoding, text, startedAtMs) => {
      const isSettled = startedAtMs - version.mtimeMs >= SETTLED_AFTER_MS;
      if (isSettled && version.size > indexedFileBytes) texts.set(keyOf(version, encoding), text);
    },
  };
}

function keyOf({ device, inode, size, mtimeMs }: FileVersion, encoding = ""): string {
  return [device, inode, size, mtimeMs, encoding].join(":");
}
