import { sep } from "node:path";

/** A way of writing paths that has no meaning here. */
export interface ForeignPath {
  /** How the path was understood instead. */
  readonly remark?: string;
  /** What was probably meant, relative to the project root. */
  readonly spelling: string;
}

const BELOW_ROOT = "paths are relative to the project root.";

/** The beginnings of paths that models carry over from shells, browsers and Windows. */
const NOTATIONS: readonly (readonly [start: RegExp, remark: string])[] = [
  [/^~(?=\/|$)/u, `'~' is not expanded; ${BELOW_ROOT}`],
  [/^file:/iu, `'file:' URLs are not understood; ${BELOW_ROOT}`],
  [/^[a-z]:(?=[\\/]|$)/iu, `Drive letters have no meaning here; ${BELOW_ROOT}`],
  [/^(?=[^/].*\\|\\)/su, "'\\' is part of a name here; separate directories with '/'."],
];

/** Recognises them, where the sandbox sees plain names. */
export function findForeignPath(input: string): ForeignPath | undefined {
  // On Windows the last two are how paths are written.
  const notations = sep === "\\" ? NOTATIONS.slice(0, 2) : NOTATIONS;
  const [start = "", remark] = notations.find(([notation]) => notation.test(input)) ?? [];
  if (remark === undefined && (sep === "\\" || !input.startsWith("/"))) return undefined;
  const spelling = input.replace(start, "").replaceAll("\\", "/").replace(/^\/+/u, "");
  return remark === undefined ? { spelling } : { remark, spelling };
}
