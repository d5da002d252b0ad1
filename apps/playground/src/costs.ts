/** What a call put into the model's context, in tokens, beside what two other ways to the same facts would have put there. */
export interface Costs {
  readonly entered: number;
  /** Whole files instead of pages, matches and edits. */
  readonly wholeFiles: number;
  /** The tools of `@modelcontextprotocol/server-filesystem`. */
  readonly mcpFilesystem: number;
}

/** Nothing yet. */
export const NO_COSTS: Costs = { entered: 0, wholeFiles: 0, mcpFilesystem: 0 };

/** The sum of two. */
export function addCosts(a: Costs, b: Costs): Costs {
  return {
    entered: a.entered + b.entered,
    wholeFiles: a.wholeFiles + b.wholeFiles,
    mcpFilesystem: a.mcpFilesystem + b.mcpFilesystem,
  };
}
