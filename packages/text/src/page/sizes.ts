import { CHUNK_BYTES } from "../bytes/line-counter.ts";

/** The sizes in which files are handled; tests make them tiny to meet every border. */
export interface ReadSizes {
  /** Bytes counted at once. */
  readonly chunkBytes: number;
  /** Bytes decoded at once. */
  readonly blockBytes: number;
  /** The least distance of two checkpoints. */
  readonly checkpointBytes: number;
  /** Up to this size a file is read at once and needs no WebAssembly. */
  readonly smallFileBytes: number;
  /** Above this size an index is kept; /proc-style files, which change without a sign, are never larger. */
  readonly indexedFileBytes: number;
}

const KIB = 1024;

/** The sizes that were measured to be fast. */
export const DEFAULT_SIZES: ReadSizes = {
  chunkBytes: CHUNK_BYTES,
  blockBytes: 32 * KIB,
  // A chunk less the beginning of a line: one checkpoint for each of ordinary text.
  checkpointBytes: 384 * KIB,
  smallFileBytes: 64 * KIB,
  indexedFileBytes: 1024 * KIB,
};
