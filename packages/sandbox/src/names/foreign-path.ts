import { sep } from "node:path";

/** A way of writing paths that has no meaning here. */
export interface ForeignPath {
  /** How the path was understood instead. */
  readonly remark?: string;
  /** What was probably meant, relative to the project root. */
  readonly spelling: string;
}

const BELOW_ROOT = "paths are relative to the project root.";

/** Recognises what models carry over from shells, browsers and Windows, where the sandbox sees plain names. */
export function findForeignPath(input: string): ForeignPath | undefined {
  if (/^~(?:\/|$)/u.test(input)) {
    return { remark: `'~' is not expanded; ${BELOW_ROOT}`, spelling: below(input.slice(1)) };
  }
  if (/^file:/iu.test(input)) {
    return { remark: `'file:' URLs are not understood; ${BELOW_ROOT}`, spelling: below(input.slice(5)) };
  }
  // On Windows this is how paths are written.
  if (sep === "\\") return undefined;
  if (/^[a-z]:(?:[\\/]|$)/iu.test(input)) {
    return { remark: `Drive letters have no meaning here; ${BELOW_ROOT}`, spelling: below(input.slice(2)) };
  }
  if (input.startsWith("/")) return { spelling: below(input) };
  if (!input.includes("\\")) return undefined;
  return { remark: "'\\' is part of a name here; separate directories with '/'.", spelling: below(input) };
}

function below(path: string): string {
  return path.replaceAll("\\", "/").replace(/^\/+/u, "");
}
