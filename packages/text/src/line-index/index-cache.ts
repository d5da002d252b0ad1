import { createRecentMap, type SandboxFile } from "@fstools/sandbox";
import type { SettledText } from "../encoding/file-encoding.ts";
import type { TextIndex } from "./scan.ts";

/** What identifies one version of a file. */
type FileIdentity = Pick<SandboxFile, "mtimeMs" | "size" | "version">;

/** A text whose encoding is settled and whose index is made. */
export type IndexedText = SettledText<TextIndex>;

// A write right after this one may leave the size and the time of change the same.
const SETTLED_AFTER_MS = 2000;
const MAX_FILES = 32;

/** The indexes of recently read files of more than `indexedFileBytes`. */
export type IndexCache = ReturnType<typeof createIndexCache>;

/** An empty cache. */
export function createIndexCache(indexedFileBytes: number) {
  const texts = createRecentMap<IndexedText>(MAX_FILES);
  return {
    /** The index of this version of a file, read with this `encoding` parameter. */
    get: (file: FileIdentity, encoding: string | undefined) => texts.get(keyOf(file, encoding)),
    /** Keeps an index whose construction began at `startedAtMs`, unless the file is small or was still changing then. */
    keep: (file: FileIdentity, encoding: string | undefined, text: IndexedText, startedAtMs: number): void => {
      const isSettled = startedAtMs - file.mtimeMs >= SETTLED_AFTER_MS;
      if (isSettled && file.size > indexedFileBytes) texts.set(keyOf(file, encoding), text);
    },
  };
}

function keyOf({ version }: FileIdentity, encoding = ""): string {
  // The time of the last change of status can't be set back, unlike that of the last change of content.
  const { device, inode, size, mtimeNs, ctimeNs } = version;
  return [device, inode, size, mtimeNs, ctimeNs, encoding].join(":");
}
