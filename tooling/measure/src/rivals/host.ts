import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rivalFolder, RIVALS } from "./list.ts";

/** A tool as a model sees it. */
export interface Definition {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

/** A set of tools at work in one directory. */
export interface Host {
  readonly definitions: readonly Definition[];
  /** What the model would read as the answer, errors included. */
  readonly call: (tool: string, params: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly close?: () => void;
}

/** Starts a set of tools for the project in `root`. */
export type OpenHost = (root: string) => Promise<Host>;

/** Imports a module of an installed rival, or of a package that was installed with it. */
export async function importFrom<Module>(id: string, specifier: string): Promise<Module> {
  const require = createRequire(join(folderOf(id), "package.json"));
  const path = exported(id, specifier) ?? require.resolve(specifier);
  return (await import(pathToFileURL(path).href)) as Module;
}

/** Where a rival is installed. */
export function folderOf(id: string): string {
  const rival = RIVALS.find((candidate) => candidate.id === id);
  if (rival === undefined) throw new Error(`There is no rival '${id}'.`);
  return rivalFolder(rival);
}

/** The ESM file of a package that has no entry for `require`. */
function exported(id: string, specifier: string): string | undefined {
  const [, name = "", below = ""] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/u.exec(specifier) ?? [];
  const folder = join(folderOf(id), "node_modules", name);
  const { exports, main } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports?: unknown;
    main?: string;
  };
  const entry = below === "" ? "." : `./${below}`;
  const path = exports === undefined ? main : importEntry((exports as Record<string, unknown>)[entry] ?? exports);
  return path === undefined ? undefined : join(folder, path);
}

function importEntry(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { import: esm, node, default: other } = value as Record<string, unknown>;
  return importEntry(node) ?? importEntry(esm) ?? importEntry(other);
}

/** What an exception tells the model. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The text of an answer in parts; a picture or the like counts as the note in its place. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.map(partText).join("\n");
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  if (typeof part !== "object" || part === null) return String(part);
  return "text" in part && typeof part.text === "string" ? part.text : "[attachment]";
}
