import { nameLookup } from "@fstools/protocol";

/** A parameter of a call, by the name that the caller used. */
export interface GivenParameter {
  readonly key: string;
  readonly value: string;
}

/** What a tool calls its parameters, and the names that it takes for them. */
export interface ParameterNames {
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

/** The parameter that names the file or directory of a call. */
export function findPath(input: unknown, tool: ParameterNames): GivenParameter | undefined {
  return find(input, tool, ["path", "filePath"]);
}

/** The pattern in a call. */
export function findPattern(input: unknown, tool: ParameterNames): GivenParameter | undefined {
  return find(input, tool, ["pattern"]);
}

/** The same call with another value for one of its parameters. */
export function withValue(input: unknown, key: string, value: string): unknown {
  return typeof input === "object" && input !== null ? { ...input, [key]: value } : input;
}

function find(input: unknown, { aliases = {} }: ParameterNames, wanted: readonly string[]): GivenParameter | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const lookup = nameLookup(aliases);
  for (const [key, value] of Object.entries(input)) {
    if (typeof value === "string" && lookup(key, wanted) !== undefined) return { key, value };
  }
  return undefined;
}
