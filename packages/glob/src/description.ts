/** What the model reads about Glob; the parameters explain themselves. */
export const GLOB_DESCRIPTION =
  "Find files using glob patterns (relative to the search root). Finds files, not directories; only '**' crosses directories.";
