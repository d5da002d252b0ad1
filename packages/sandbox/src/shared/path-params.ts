import { z } from "@fstools/protocol";

const MISSING = "Missing required parameter 'path'.";

/** The parameter `path` of a tool that takes one file. */
export function filePathParam(description: string) {
  return z
    .string({ error: ({ input }) => (input === undefined ? MISSING : "path must be a string.") })
    .refine((path) => path !== "", MISSING)
    .describe(description);
}

/** Names that models use for the `path` of a file, learned from other tools. */
export const FILE_ALIASES = {
  file: "path",
  file_path: "path",
  file_name: "path",
  filename: "path",
  target_file: "path",
  absolute_path: "path",
} as const;

/** Names that models use for the `path` of a directory. */
export const DIRECTORY_ALIASES = {
  directory: "path",
  directory_path: "path",
  dir: "path",
  dir_path: "path",
  cwd: "path",
  target_directory: "path",
  search_path: "path",
  relative_workspace_path: "path",
  file: "path",
  file_path: "path",
} as const;
