/** What a model reads about Delete. */
export const DELETE_DESCRIPTION = "Delete a file, link or directory.";
