import { echo, ToolError } from "@fstools/protocol";
import { constants, fchmodSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import type { Pacer } from "../pacer.ts";
import { copyExactly } from "./entries.ts";
import { flushDirectory } from "./temporary-file.ts";
import { isSameTree, isStillEntry, lookAtTree, openTree, shownPath, type HeldEntry, type Tree } from "./tree.ts";
import { StaleTargetError } from "./write-error.ts";

/**
 * Copies exactly what was seen in a tree to a name that is free, with modes, and makes sure that nothing changed
 * meanwhile and that all of it is there.
 * @throws StaleTargetError, or the system's error; then a part of it may be there
 */
export async function copyTree(
  from: HeldEntry,
  to: HeldEntry,
  tree: Tree,
  { pacer, durable }: { readonly pacer: Pacer; readonly durable: boolean },
): Promise<Tree> {
  const [source, destination] = [openTree(from, tree), openTree(to)];
  try {
    for (const entry of tree.entries) {
      const [old, fresh] = [source.of(entry.path), destination.of(entry.path)];
      if (entry.kind === "directory") mkdirSync(fresh, 0o700);
      else if (entry.kind === "link") symlinkSync(readlinkSync(old, "buffer"), fresh);
      // Node makes no FIFOs, sockets and devices.
      else if (entry.kind === "other") throw notCopied(entry.path);
      else await copyExactly(old, fresh, { dev: entry.version.device, ino: entry.version.inode }, durable);
      if (!isStillEntry(lstatSync(old, { bigint: true }), entry)) throw new StaleTargetError();
      if (pacer.due()) await pacer.rest();
    }
    for (const { path, kind } of tree.entries.toReversed()) {
      if (kind !== "directory") continue;
      const { mode } = lstatSync(source.of(path));
      const { descriptor } = destination.enter(path);
      fchmodSync(descriptor, mode & ~constants.S_IFMT);
      if (durable) await flushDirectory(descriptor);
    }
  } finally {
    source.close();
    destination.close();
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
