/** What the model reads about LS. */
export const LS_DESCRIPTION = `List files and directories in a given path with pagination and filters.

Use it to see what one directory holds, before you open or search anything in it. It does not look into sub-directories: to find files by name in a whole tree use Glob, to see what is in a file use Read.

Parameters:
- path: the directory. Relative to the working directory (or to the project root, if it is not there), or absolute inside the project root. Default ".".
- offset: how many entries to skip. Default 0.
- limit: how many entries to return, 1 to 200. Default 100.
- include_hidden: true also shows names that start with "." and directories such as node_modules, dist, build and .git, which are left out otherwise. Default false.
- ignore: patterns of entries to leave out. "*" and "?" match any characters, "[abc]" and "[!abc]" one character. A pattern without "/" is compared with the name ("*.log"), one with "/" with the path ("src/*.test.ts").

Directories come first and end with "/", symbolic links end with "@"; each group is sorted by name. The printed paths are relative to the project root and can be passed to LS, Glob and Read as they are.

Examples:
- {"path": "src"} lists the directory src.
- {"path": ".", "include_hidden": true, "ignore": ["*.log", "node_modules"]} lists everything in the working directory but logs and node_modules.

If status is "partial", there are more entries: call LS again with the offset that the text names ("Use offset=100 to view next page.") and the same other parameters, or leave entries out with ignore.`;
