/** What the model reads about Grep. */
export const GREP_DESCRIPTION =
  "Search file contents by regular expression (Rust syntax: no look-around, no back-references).";
