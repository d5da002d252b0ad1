/** A root under the name by which its paths are printed. */
export interface LabelledRoot {
  readonly label: string;
  /** Absolute, with every link resolved. */
  readonly real: string;
  /** Absolute, as the user or the client spelled it. */
  readonly spelled: string;
}

/** Names each root after its directory; `-2` and so on where that name is taken. */
export function labelRoots(roots: readonly Omit<LabelledRoot, "label">[]): LabelledRoot[] {
  const taken = new Set<string>();
  return roots.map((root) => {
    const name = root.spelled.split(/[/\\]/u).findLast((part) => part !== "") ?? "root";
    let label = name;
    for (let count = 2; taken.has(label); count += 1) label = `${name}-${count}`;
    taken.add(label);
    return { ...root, label };
  });
}

/** Whether a directory holds an absolute path; this only compares names. */
export function holds(directory: string, path: string): boolean {
  const bare = trimSlashes(directory);
  return path === bare || path.startsWith(`${bare}/`) || path.startsWith(`${bare}\\`);
}

/** What follows the directory in a path that it holds: "." for the directory itself. */
export function below(directory: string, path: string): string {
  const rest = path.slice(trimSlashes(directory).length).replace(/^[/\\]+/u, "");
  return rest === "" ? "." : rest;
}

function trimSlashes(directory: string): string {
  return directory.replace(/[/\\]+$/u, "");
}
