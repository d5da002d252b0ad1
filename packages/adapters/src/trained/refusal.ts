import { echo, type FailedResponse } from "@fstools/protocol";

/** A file as the model calls it, and as the tools do. */
export interface NamedFile {
  readonly shown: string;
  readonly path: string;
}

/** An answer that the model has to see as an error. */
export class Refusal extends Error {}

/** @throws Refusal if there is no path */
export function namedFile(path: unknown): NamedFile {
  if (typeof path === "string" && path !== "") return { shown: echo(path), path };
  throw new Refusal("Error: Missing required parameter `path`.");
}

const THEIR_NAMES: ReadonlyMap<string, string> = new Map([
  ["old_string", "old_str"],
  ["new_string", "new_str"],
  ["content", "file_text"],
  ["start_line", "view_range"],
]);
const OUR_NAME = /(?<=^|^Missing required parameter ')(?:(?:old|new)_string|content|start_line)\b/u;

/** What a tool refused, in the words of the documentation where it has any. */
export function refusal({ error }: FailedResponse, { shown, path }: NamedFile, missing?: string): Refusal {
  const { code, message } = error;
  if (missing !== undefined && (code === "NOT_FOUND" || code === "IS_DIRECTORY")) return new Refusal(missing);
  if (message.startsWith("Permission denied writing")) {
    return new Refusal("Error: Permission denied. Cannot write to file.");
  }
  const advice = code === "CONFLICT" ? " View the file, then repeat the change on what is there." : "";
  const inTheirWords = message.replace(OUR_NAME, (name) => THEIR_NAMES.get(name) ?? name);
  return new Refusal(`Error: ${inTheirWords.replaceAll(`'${path}'`, `'${shown}'`)}${advice}`);
}
