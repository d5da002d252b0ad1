import type { Tool } from "@fstools/protocol";
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Conversation } from "../agent/conversation.ts";
import { chooseModel, modelSettingsFrom, type ChosenModel } from "../agent/model.ts";
import { openProject, type Project } from "../project.ts";

const repository = resolve(fileURLToPath(new URL("../../../..", import.meta.url)));

/** What the options of a command line say; a command has those that its help lists. */
export interface Settings {
  readonly root?: readonly string[];
  readonly deny?: readonly string[];
  readonly write?: boolean;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly vision?: boolean;
  readonly maxSteps: number;
  readonly maxLines?: number;
  readonly maxBytes?: number;
  readonly direction?: "head" | "tail";
  readonly port: number;
  readonly json?: boolean;
  readonly text?: boolean;
  readonly truncate?: boolean;
  readonly list?: boolean;
}

/** The caller's mistake; they only need to see its message. */
export class UsageError extends Error {}

/** Does what may fail by the caller's mistake, such as a rule of `--deny` that can match nothing. */
function checked<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The tools on the project that was named. */
export function projectFrom({ root: given = [repository], deny = [], write = false }: Settings): Project {
  // pnpm runs scripts in the package's folder, and tells here where the user is.
  const roots = given.map((root) => resolve(process.env.INIT_CWD ?? process.cwd(), root));
  const missing = roots.findIndex((root) => !statSync(root, { throwIfNoEntry: false })?.isDirectory());
  if (missing >= 0) throw new UsageError(`--root must be an existing directory; '${given[missing] ?? ""}' is not.`);
  const kind = roots.length === 1 && roots[0] === repository ? "own" : "any";
  const home = process.env.XDG_STATE_HOME ?? join(homedir(), ".local", "state");
  const kept = join(home, "fstools-playground");
  // What is kept may not lie in the project.
  const history = write && roots.every((path) => relative(path, kept).startsWith("..")) ? kept : undefined;
  const root = roots.map((path) => ({ path }));
  return checked(() => openProject({ root, deny, history, writable: write, kind }));
}

/**
 * The tool of this name.
 * @throws UsageError if the project has no such tool.
 */
export function toolNamed({ tools, off }: Project, name: string): Tool {
  const tool = tools.get(name);
  if (tool) return tool;
  if (off.includes(name)) throw new UsageError(`'${name}' is off. --write offers tools that change files.`);
  const problem = name === "" ? "Which tool?" : `There is no tool '${name}'.`;
  throw new UsageError(`${problem} The tools are ${[...tools.keys()].join(", ")}.`);
}

/** The model that the options and the environment name; the offline agent rests this long between words. */
export function modelFrom({ baseUrl, model, apiKey, vision }: Settings, paceMs: number): ChosenModel {
  return checked(() => chooseModel(modelSettingsFrom({ baseUrl, model, apiKey, vision, paceMs }, process.env)));
}

/** A conversation with the tools of a project. */
export function conversationFrom(settings: Settings, project: Project, chosen: ChosenModel): Conversation {
  return project.converse({ chosen, maxSteps: settings.maxSteps, limits: settings });
}
