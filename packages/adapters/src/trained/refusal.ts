import { echo, type FailedResponse } from "@fstools/protocol";

/** A file as the model calls it, and as the tools do. */
export interface NamedFile {
  readonly shown: string;
  readonly path: string;
}

/** An answer that the model has to see as an error. */
export class Refusal extends Error {}

/** What a tool refused, in the words of the documentation where it has any. */
export function refusal({ error }: FailedResponse, { shown, path }: NamedFile, missing?: string): Refusal {
  const { code, message } = error;
  if (missing !== undefined && ["NOT_FOUND", "IS_DIRECTORY"].includes(code)) return new Refusal(missing);
  if (message.startsWith("Permission denied writing")) {
    return new Refusal("Error: Permission denied. Cannot write to file.");
  }
  const advice = code === "CONFLICT" ? " View the file, then repeat the change on what is there." : "";
  return new Refusal(`Error: ${inTheirNames(message).replaceAll(`'${path}'`, `'${shown}'`)}${advice}`);
}

// A name in quotes is a file's, unless it is all that is missing.
const NAME = /(?<!')\b(?:old_string|new_string|content|start_line)\b|(?<=^Missing required parameter ')\w+/gu;
const THEIR_NAMES: ReadonlyMap<string, string> = new Map([
  ["old_string", "old_str"],
  ["new_string", "new_str"],
  ["content", "file_text"],
  ["start_line", "view_range"],
]);

/** A sentence of ours with the parameters as the model knows them. */
export function inTheirNames(sentence: string): string {
  return sentence.replace(NAME, (name) => THEIR_NAMES.get(name) ?? name);
}

/** @throws Refusal if there is no path */
export function namedFile(path: unknown): NamedFile {
  if (typeof path === "string" && path !== "") return { shown: echo(path), path };
  throw new Refusal("Error: Missing required parameter `path`.");
}
