/** What a model reads about Move. */
export const MOVE_DESCRIPTION =
  "Move, rename or copy a file, link or whole directory. Makes missing parents, never overwrites.";
