/** What the model reads about Grep. */
export const GREP_DESCRIPTION =
  "Search file contents with a regular expression (no look-around or back-references). " +
  "Matches come in a fixed order with line numbers. Skips hidden and ignored directories unless asked.";
