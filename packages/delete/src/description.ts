/** What a model reads about Delete. */
export const DELETE_DESCRIPTION = "Delete a file, a link, or a directory.";
