import { parsePattern } from "../src/search/pattern.ts";
import { createPosition, remaindersAt, type Position } from "../src/search/position.ts";
import type { Sandbox } from "../src/sandbox.ts";
import { walkFiles } from "../src/search/walk.ts";

/** A pattern as it applies at the project root. */
export function positionOf(pattern: string): Position | undefined {
  return createPosition(remaindersAt({ relative: ".", spellings: [], roots: [] }, parsePattern(pattern, "pattern")));
}

/** The paths of all files that match a pattern, hidden and ignored ones included. */
export async function walked(sandbox: Sandbox, pattern: string): Promise<string[]> {
  const paths: string[] = [];
  await walkFiles(sandbox, sandbox.root, {
    position: positionOf(pattern),
    includeHidden: true,
    includeIgnored: true,
    maxDurationMs: 60_000,
    signal: new AbortController().signal,
    take: ({ path }) => paths.push(path) > 0,
  });
  return paths;
}
