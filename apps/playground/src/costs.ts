/** What a call put into the model's context, in tokens, beside what two other ways to the same facts would have put there. */
export interface Costs {
  readonly entered: number;
  /** Whole files instead of pages, matches and edits. */
  readonly wholeFiles: number;
  /** The tools of `@modelcontextprotocol/server-filesystem`. */
  readonly mcpFilesystem: number;
}

/** The sum of all. */
export function sumOf(all: readonly Costs[]): Costs {
  const sum = (of: (costs: Costs) => number) => all.reduce((total, costs) => total + of(costs), 0);
  return {
    entered: sum(({ entered }) => entered),
    wholeFiles: sum(({ wholeFiles }) => wholeFiles),
    mcpFilesystem: sum(({ mcpFilesystem }) => mcpFilesystem),
  };
}
