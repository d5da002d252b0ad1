import { listedName } from "../text.ts";

/**
 * Paths, one a line; where that is shorter, adjacent ones of one directory are grouped: the directory's path
 * with a slash, and below it the names, indented by one blank.
 */
export function groupedPaths(paths: readonly string[]): string {
  const groups: { readonly directory: string; readonly names: string[] }[] = [];
  for (const path of paths) {
    const directory = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
    const last = groups.at(-1);
    const group = last?.directory === directory ? last : { directory, names: [] };
    if (group !== last) groups.push(group);
    group.names.push(path.slice(directory.length));
  }
  return groups.map(({ directory, names }) => shorter(directory, names)).join("\n");
}

function shorter(directory: string, names: readonly string[]): string {
  const flat = names.map((name) => listedName(directory + name)).join("\n");
  if (directory === "" || names.length === 1) return flat;
  const grouped = [listedName(directory), ...names.map((name) => ` ${listedName(name)}`)].join("\n");
  return grouped.length < flat.length ? grouped : flat;
}
