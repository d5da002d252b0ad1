import { readFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rivalFolder, RIVALS } from "./list.ts";

export interface Definition {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

export type Params = Readonly<Record<string, unknown>>;

export interface Host {
  readonly definitions: readonly Definition[];
  readonly call: (tool: string, params: Params) => Promise<string>;
  readonly close?: (() => void) | undefined;
}

/** Starts a set of tools for the project in `root`, and for a second directory where there is one. */
export type OpenHost = (root: string, second?: string) => Promise<Host>;

export interface LocalTool extends Definition {
  readonly run: (params: Params) => Promise<unknown>;
}

/** A host of tools that run in this process: the model reads the text of their results and of their exceptions. */
export function hostOf(tools: readonly LocalTool[], close?: () => void): Host {
  return {
    definitions: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    call: async (name, params) => {
      try {
        const tool = tools.find((candidate) => candidate.name === name);
        if (tool === undefined) throw new Error(`There is no tool '${name}'.`);
        return textOf(await tool.run(params));
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    close,
  };
}

interface AiTool {
  readonly description: string;
  readonly inputSchema: unknown;
  execute(params: object, options: object): Promise<unknown>;
  toModelOutput?(answer: object): { readonly type: string; readonly value?: unknown } | undefined;
}

export async function aiSdkTools(id: string, tools: Readonly<Record<string, AiTool>>): Promise<LocalTool[]> {
  const { asSchema } = await importFrom<{ readonly asSchema: (schema: unknown) => { jsonSchema: unknown } }>(id, "ai");
  return Promise.all(
    Object.entries(tools).map(async ([name, tool]) => ({
      name,
      description: tool.description,
      parameters: await asSchema(tool.inputSchema).jsonSchema,
      run: async (input) => {
        const output = await tool.execute(input, { toolCallId: "call", messages: [] });
        const shown = tool.toModelOutput?.({ toolCallId: "call", input, output });
        if (shown?.type === "content") return shown.value;
        const value = shown?.value ?? output;
        return typeof value === "string" ? value : JSON.stringify(value);
      },
    })),
  );
}

/** Imports a module of an installed rival, or of a package that was installed with it; or a file below its folder. */
export async function importFrom<Module>(id: string, specifier: string): Promise<Module> {
  const require = createRequire(join(folderOf(id), "package.json"));
  const path = specifier.startsWith("./")
    ? join(folderOf(id), "node_modules", specifier)
    : (exported(id, specifier) ?? require.resolve(specifier));
  return (await import(pathToFileURL(path).href)) as Module;
}

/** Puts functions that do nothing in place of a module that a set of tools imports for other work, and that cannot be had. */
export function replaceModule(specifier: string, names: string): void {
  const source = names.replaceAll(/\w+/gu, (name) => `export function ${name}() {}`).replaceAll(",", "");
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const hook = `export const resolve = (specifier, context, next) =>
    specifier === ${JSON.stringify(specifier)} ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

export function folderOf(id: string): string {
  const rival = RIVALS.find((candidate) => candidate.id === id);
  if (rival === undefined) throw new Error(`There is no rival '${id}'.`);
  return rivalFolder(rival);
}

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
