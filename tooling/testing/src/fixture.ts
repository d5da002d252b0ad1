import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export type Tree = string | Uint8Array | Link | Fifo | Directory;

interface Directory {
  readonly [name: string]: Tree;
}

class Link {
  readonly target: string;

  constructor(target: string) {
    this.target = target;
  }
}

class Fifo {
  readonly kind = "fifo";
}

export function link(target: string): Link {
  return new Link(target);
}

export function fifo(): Fifo {
  return new Fifo();
}

export interface Fixture {
  readonly root: string;
  readonly path: (...segments: readonly string[]) => string;
  readonly write: (tree: Directory) => void;
  readonly cleanup: () => void;
}

export function fixture(tree: Directory = {}): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fstools-")));
  // Readable by the user that `asNobody` becomes.
  chmodSync(root, 0o755);
  const cleanup = () => rmSync(root, { recursive: true, force: true });
  removeAfterTest(cleanup);
  writeTree(root, tree);
  return {
    root,
    path: (...segments) => join(root, ...segments),
    write: (more) => writeTree(root, more),
    cleanup,
  };
}

function removeAfterTest(cleanup: () => void): void {
  try {
    onTestFinished(cleanup);
  } catch {
    // Outside a running test (a hook, a property's setup): the caller cleans up.
  }
}

function writeTree(directory: string, tree: Directory): void {
  for (const [name, node] of Object.entries(tree)) {
    const path = join(directory, name);
    if (typeof node === "string" || node instanceof Uint8Array) writeFileSync(path, node);
    else if (node instanceof Link) symlinkSync(node.target, path);
    else if (node instanceof Fifo) execFileSync("mkfifo", [path]);
    else {
      mkdirSync(path, { recursive: true });
      writeTree(path, node);
    }
  }
}
