import { echo, ToolError } from "@fstools/protocol";
import type { Buffer } from "node:buffer";
import { fchmodSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import type { Pacer } from "../pacer.ts";
import { copyExactly } from "./entries.ts";
import { flushDirectory } from "./temporary-file.ts";
import {
  isSameTree,
  isStillEntry,
  lookAtTree,
  openTree,
  shownPath,
  type HeldEntry,
  type Tree,
  type TreeEntry,
} from "./tree.ts";
import { StaleTargetError } from "./write-error.ts";

/** How a tree is built. */
interface BuildOptions {
  readonly pacer: Pacer;
  readonly durable: boolean;
}

/**
 * Builds a tree at a name that is free; `make` puts everything there but the directories.
 * @throws the system's error, or what `make` throws; then a part of it may be there
 */
export async function buildTree<Entry extends Pick<TreeEntry, "path" | "kind" | "mode">>(
  to: HeldEntry,
  entries: readonly Entry[],
  make: (entry: Entry, path: Buffer) => Promise<void>,
  { pacer, durable }: BuildOptions,
): Promise<void> {
  const paths = openTree(to);
  try {
    for (const entry of entries) {
      const path = paths.of(entry.path);
      if (entry.kind === "directory") mkdirSync(path, 0o700);
      await make(entry, path);
      if (pacer.due()) await pacer.rest();
    }
    for (const { path, kind, mode } of entries.toReversed()) {
      if (kind !== "directory") continue;
      const { descriptor } = paths.enter(path);
      fchmodSync(descriptor, mode);
      if (durable) await flushDirectory(descriptor);
    }
  } finally {
    paths.close();
  }
}

/**
 * Copies exactly what was seen in a tree to a name that is free, with modes, and makes sure that nothing changed
 * meanwhile and that all of it is there.
 * @throws StaleTargetError, or the system's error; then a part of it may be there
 */
export async function copyTree(
  from: HeldEntry,
  to: HeldEntry,
  tree: Tree,
  { pacer, durable }: BuildOptions,
): Promise<Tree> {
  const source = openTree(from, tree);
  const copy = async (entry: TreeEntry, fresh: Buffer): Promise<void> => {
    const old = source.of(entry.path);
    if (entry.kind === "link") symlinkSync(readlinkSync(old, "buffer"), fresh);
    // Node makes no FIFOs, sockets and devices.
    else if (entry.kind === "other") throw notCopied(entry.path);
    else if (entry.kind === "file") {
      await copyExactly(old, fresh, { dev: entry.version.device, ino: entry.version.inode }, durable);
    }
    if (!isStillEntry(lstatSync(old, { bigint: true }), entry)) throw new StaleTargetError();
  };
  try {
    await buildTree(to, tree.entries, copy, { pacer, durable });
  } finally {
    source.close();
  }
  const [now, copied] = [await lookAtTree(from, { pacer }), await lookAtTree(to, { pacer })];
  if (!isSameTree(now, tree) || !isCopy(copied, tree)) throw new StaleTargetError();
  return copied;
}

function isCopy(copy: Tree, { entries, bytes }: Tree): boolean {
  const isSame = copy.entries.length === entries.length && copy.bytes === bytes;
  return (
    isSame && entries.every(({ path, kind }, at) => copy.entries[at]?.path === path && copy.entries[at].kind === kind)
  );
}

function notCopied(path: string): ToolError {
  const what = path === "." ? "It" : `'${echo(shownPath(path))}' in it`;
  return new ToolError("INVALID_PARAM", `${what} is a FIFO, socket or device, which cannot be copied.`, {
    hint: "Nothing was written. Choose what is around it, one by one.",
  });
}
