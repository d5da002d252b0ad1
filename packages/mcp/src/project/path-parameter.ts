/** A parameter of a call, by the name that the caller used. */
export interface GivenParameter {
  readonly key: string;
  readonly value: string;
}

/** What models call the parameter that names a file or a directory, in lower case and without separators. */
const PATH_NAMES = new Set(
  ["path", "filepath", "file", "filename", "directory", "directorypath", "dir", "dirpath", "cwd", "folder"].concat([
    "root",
    "target",
    "targetfile",
    "targetdirectory",
    "absolutepath",
    "relativeworkspacepath",
    "searchpath",
  ]),
);

/** The parameter that names the file or directory of a call. */
export function findPath(input: unknown): GivenParameter | undefined {
  return find(input, (name) => PATH_NAMES.has(name));
}

/** The pattern of file names in a call. */
export function findPattern(input: unknown): GivenParameter | undefined {
  return find(input, (name) => name === "pattern" || name === "glob");
}

/** The same call with another value for one of its parameters. */
export function withValue(input: unknown, key: string, value: string): unknown {
  return typeof input === "object" && input !== null ? { ...input, [key]: value } : input;
}

function find(input: unknown, fits: (name: string) => boolean): GivenParameter | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  for (const [key, value] of Object.entries(input)) {
    if (typeof value === "string" && fits(key.toLowerCase().replaceAll(/[_-]/gu, ""))) return { key, value };
  }
  return undefined;
}
