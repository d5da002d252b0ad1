/** What a model reads about Move. */
export const MOVE_DESCRIPTION = "Move, rename or copy a file, link or directory to a new path. Never overwrites.";
