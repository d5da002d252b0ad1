import { sep } from "node:path";

declare const brand: unique symbol;

/** A path that a sandbox resolved: real, inside the project root, and made by nothing else. */
export interface SafePath {
  /** The real path in the host's file system. */
  readonly absolute: string;
  /** The same path relative to the project root, with "/" between names; "." is the root. */
  readonly relative: string;
  readonly [brand]: true;
}

/** Mints the paths of one sandbox and knows them again. */
export interface PathMint {
  mint(relative: string): SafePath;
  /** @throws TypeError if this mint did not make the path. */
  check(path: SafePath): void;
}

export function createPathMint(root: string): PathMint {
  const minted = new WeakSet<SafePath>();
  const prefix = root.endsWith(sep) ? root : root + sep;
  return {
    mint: (relative) => {
      const absolute = relative === "." ? root : prefix + relative.replaceAll("/", sep);
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the one place that mints a SafePath
      const path = Object.freeze({ absolute, relative }) as SafePath;
      minted.add(path);
      return path;
    },
    check: (path) => {
      if (!minted.has(path)) throw new TypeError("Expected a path that this sandbox resolved.");
    },
  };
}
