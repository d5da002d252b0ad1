import { listedName } from "../text.ts";

interface Row {
  readonly path: string;
  readonly tail: string;
}

/** Adjacent paths below one directory. */
interface Group {
  directory: string;
  readonly rows: Row[];
}

/**
 * Paths, one per line, each followed by its tail. Where it is shorter, adjacent paths below one directory are grouped:
 * the directory's path with a slash, and below it the rest of each path, indented by one blank.
 */
export function groupedPaths(paths: readonly string[], tails: readonly string[] = []): string {
  const single = paths.map((path, index): Group => {
    const directory = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
    return { directory, rows: [{ path, tail: tails[index] ?? "" }] };
  });
  return byDirectory(joinedLoose(byDirectory(single)))
    .map((group) => shorter(group).join("\n"))
    .join("\n");
}

function byDirectory(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const last = merged.at(-1);
    if (last?.directory === group.directory) last.rows.push(...group.rows);
    else merged.push(group);
  }
  return merged;
}

/** Directories with too few names to be worth a line are grouped by what their paths have in common. */
function joinedLoose(groups: readonly Group[]): Group[] {
  const joined: Group[] = [];
  let isLastLoose = false;
  for (const group of groups) {
    const last = joined.at(-1);
    const isLoose = shorter(group).length === group.rows.length;
    const common = last !== undefined && isLastLoose && isLoose ? commonDirectory(last.directory, group.directory) : "";
    if (last === undefined || common === "") {
      joined.push(group);
    } else {
      last.directory = common;
      last.rows.push(...group.rows);
    }
    isLastLoose = isLoose;
  }
  return joined;
}

function commonDirectory(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, one.slice(0, length).lastIndexOf("/") + 1);
}

/** The lines of a group, with its directory in front where that is shorter. */
function shorter({ directory, rows }: Group): string[] {
  const flat = rows.map(({ path, tail }) => listedName(path) + tail);
  if (directory === "" || rows.length === 1) return flat;
  const below = rows.map(({ path, tail }) => ` ${listedName(path.slice(directory.length))}${tail}`);
  const grouped = [listedName(directory), ...below];
  return grouped.join("\n").length < flat.join("\n").length ? grouped : flat;
}
