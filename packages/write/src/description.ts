/** What a model reads about Write, which speaks only of tools that it has. */
export function writeDescription(has: (tool: string) => boolean): string {
  const change = has("Edit") ? "to change a part of it use Edit" : undefined;
  const steps = [has("Read") ? "Read an existing file first" : undefined, change].filter((step) => step !== undefined);
  return [
    "Create a file with its directories, or replace a whole one",
    ...(steps.length === 0 ? [] : [steps.join("; ")]),
    "On CONFLICT read the file again.",
  ].join(". ");
}
