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
  /** The absolute path of a path relative to the project root. */
  absolute(relative: string): string;
  mint(relative: string): SafePath;
  /** @throws TypeError if this mint did not make the path. */
  check(path: SafePath): void;
}

/** Makes the mint of a sandbox around a real directory. */
export function createPathMint(root: string): PathMint {
  const minted = new WeakSet<SafePath>();
  const prefix = root.endsWith(sep) ? root : root + sep;
  const absolute = (relative: string): string => (relative === "." ? root : prefix + relative);
  return {
    absolute,
    mint: (relative) => {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the one place that mints a SafePath
      const path = Object.freeze({ absolute: absolute(relative), relative }) as SafePath;
      minted.add(path);
      return path;
    },
    check: (path) => {
      if (!minted.has(path)) throw new TypeError("Expected a path that this sandbox resolved.");
    },
  };
}
