/** What a model reads about Edit, which speaks only of tools that it has. */
export function editDescription(has: (tool: string) => boolean): string {
  return [
    "Replace exact text in an existing file.",
    has("Read")
      ? "old_string must occur exactly once, with all its blanks: copy it from Read without the line numbers, with a line around it where needed."
      : "old_string must occur exactly once, with all its blanks; add a line around it where needed.",
    "Everything else in the file stays byte for byte. Several edits of one file go into one call.",
    ...(has("Write") ? ["Use Write to create files."] : []),
    "On CONFLICT read the file again.",
  ].join(" ");
}
