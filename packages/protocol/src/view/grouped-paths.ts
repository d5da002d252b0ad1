import { listedName } from "../text.ts";

interface Row {
  readonly path: string;
  readonly tail: string;
}

/** Adjacent paths below one directory. */
interface Group {
  readonly directory: string;
  readonly rows: Row[];
}

/**
 * Paths, one per line, each followed by its tail. Where it is shorter, adjacent paths below one directory are grouped:
 * the directory's path with a slash, and below it the rest of each path, indented by one blank.
 */
export function groupedPaths(paths: readonly string[], tails: readonly string[] = []): string {
  const rows = paths.map((path, index) => ({ path, tail: tails[index] ?? "" }));
  return joinedLoose(byDirectory(rows))
    .map((group) => shorter(group).join("\n"))
    .join("\n");
}

function byDirectory(rows: readonly Row[]): Group[] {
  const groups: Group[] = [];
  for (const row of rows) {
    const directory = row.path.slice(0, row.path.lastIndexOf("/", row.path.length - 2) + 1);
    const last = groups.at(-1);
    if (last?.directory === directory) last.rows.push(row);
    else groups.push({ directory, rows: [row] });
  }
  return groups;
}

/** Directories with too few names to be worth a line are grouped by what their paths have in common. */
function joinedLoose(groups: readonly Group[]): Group[] {
  const joined: Group[] = [];
  let loose: Group | undefined;
  for (const group of groups) {
    const isLoose = shorter(group).length === group.rows.length;
    const common = loose === undefined || !isLoose ? "" : commonDirectory(loose.directory, group.directory);
    if (loose === undefined || common === "") {
      joined.push(group);
      loose = isLoose ? group : undefined;
    } else {
      loose = { directory: common, rows: [...loose.rows, ...group.rows] };
      joined[joined.length - 1] = loose;
    }
  }
  return joined.reduce<Group[]>((merged, group) => {
    const last = merged.at(-1);
    if (last?.directory === group.directory) last.rows.push(...group.rows);
    else merged.push(group);
    return merged;
  }, []);
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
