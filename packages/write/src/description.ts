/** What the model reads about Write. */
export const WRITE_DESCRIPTION = `Create a file with its directories, or replace a whole one. Read an existing file first; to change a part of it use Edit. On CONFLICT read the file again.`;
