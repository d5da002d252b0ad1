/** What the model reads about LS; the parameters explain themselves. */
export const LS_DESCRIPTION =
  "List files and directories in a given path with pagination and filters. One level; directories end with '/', links with '@'. node_modules, dist and the like count as hidden.";
