/** What a model reads about Patch. */
export const PATCH_DESCRIPTION =
  "Apply one patch to several files, all or nothing: create, change, delete, move. Each hunk must fit in one place only; give it enough unchanged lines.";
