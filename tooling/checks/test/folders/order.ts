/**
 * The folders in each package's `src`, and the files that they import, lowest first: a file imports from its own folder and
 * from what stands before it. Files that are not named here stand above all folders.
 */
export const ORDER: Readonly<Record<string, readonly string[]>> = {
  protocol: [
    ...["once", "zod", "error", "text", "json", "params", "envelope", "data", "legacy", "view", "truncate", "check"],
  ],
  sandbox: [
    ...["error", "pacer", "names", "roots", "versions", "rules", "disk", "resolve", "sandbox", "search", "shared"],
    ...["write", "history", "store"],
  ],
  text: ["error", "lines", "bytes", "encoding", "line-index", "editing"],
  patch: ["parse"],
  adapters: ["agent-tool", "model-answer", "trained"],
  read: ["params", "format", "media"],
  grep: ["params", "text", "engine"],
  mcp: ["service", "server", "http"],
  remote: ["message", "http", "process", "channel"],
};

/** Packages whose files or folders are still being put in order. */
export const UNORDERED: readonly string[] = [];
