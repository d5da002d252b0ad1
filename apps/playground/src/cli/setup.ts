import type { Tool } from "@fstools/protocol";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseModel, modelSettingsFrom, type ChosenModel } from "../agent/model.ts";
import type { Conversation } from "../agent/conversation.ts";
import { openProject, type Project, type TruncatorLimits } from "../project.ts";
import { UsageError, type Arguments, type Option } from "./command.ts";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));

/** Options that say which project the tools see. */
export const projectOptions: Readonly<Record<string, Option>> = {
  root: { type: "string", value: "DIR", help: "Project root that the tools see (default: this repository)." },
  deny: {
    type: "string",
    value: "GLOB",
    multiple: true,
    help: "Files that stay invisible, besides secrets; repeatable.",
  },
  write: { type: "boolean", help: "Offer Edit and Write (default: only in the demo)." },
  "read-only": { type: "boolean", help: "Do not offer Edit and Write, which is the default." },
};

/** Options that say which model answers. */
export const modelOptions: Readonly<Record<string, Option>> = {
  model: { type: "string", value: "NAME", help: "Model of an OpenAI-compatible endpoint (or PLAYGROUND_MODEL)." },
  "base-url": { type: "string", value: "URL", help: "The endpoint (or PLAYGROUND_BASE_URL; default: OpenAI)." },
  "api-key": { type: "string", value: "KEY", help: "Its key; better set PLAYGROUND_API_KEY, which ps does not show." },
  "max-steps": { type: "string", value: "N", help: "Answers of the model per question, 1-50 (default: 12)." },
};

/** Options of the truncator. */
export const truncatorOptions: Readonly<Record<string, Option>> = {
  "max-lines": { type: "string", value: "N", help: "Truncator: lines that enter the context (default: 2000)." },
  "max-bytes": { type: "string", value: "N", help: "Truncator: bytes that enter the context (default: 51200)." },
  direction: { type: "string", value: "head|tail", help: "Truncator: which end to keep (default: head)." },
};

/** The project root that the arguments name, as an absolute path. */
export function projectRoot(args: Arguments): string {
  // pnpm runs scripts in the package's folder, and tells here where the user is.
  const base = process.env.INIT_CWD ?? process.cwd();
  const given = args.text("root");
  const root = given === undefined ? repository : resolve(base, given);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--root must be an existing directory; '${given ?? root}' is not.`);
  }
  return resolve(root);
}

/** The tools on the project that the arguments name. */
export function projectFrom(args: Arguments): Project {
  const root = projectRoot(args);
  if (args.flag("write") && args.flag("read-only"))
    throw new UsageError("--write and --read-only contradict each other.");
  const kind = root === resolve(repository) ? "own" : "any";
  try {
    return openProject({ root, deny: args.texts("deny"), writable: args.flag("write"), kind });
  } catch (error) {
    // A rule of --deny that can match nothing is a mistake worth knowing.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The tool of this name.
 * @throws UsageError if none was named, or the project has no such tool.
 */
export function toolNamed({ tools, off }: Project, name: string | undefined): Tool {
  const known = `The tools are ${[...tools.keys()].join(", ")}.`;
  if (name === undefined) throw new UsageError(`Which tool? ${known}`);
  const tool = tools.get(name);
  if (tool) return tool;
  if (off.includes(name)) throw new UsageError(`'${name}' is off. --write offers tools that change files.`);
  throw new UsageError(`There is no tool '${name}'. ${known}`);
}

/** The truncator's limits that the arguments name. */
export function truncatorLimits(args: Arguments): TruncatorLimits {
  return {
    maxLines: args.integer("max-lines", { min: 1, max: 1_000_000, fallback: 2000 }),
    maxBytes: args.integer("max-bytes", { min: 100, max: 100_000_000, fallback: 51_200 }),
    direction: args.choice("direction", ["head", "tail"]),
  };
}

/** The model that the arguments and the environment name. */
export function modelFrom(args: Arguments, paceMs: number): ChosenModel {
  const flags = { baseUrl: args.text("base-url"), model: args.text("model"), apiKey: args.text("api-key"), paceMs };
  try {
    return chooseModel(modelSettingsFrom(flags, process.env));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** A conversation with the tools of a project. */
export function conversationFrom(args: Arguments, project: Project, chosen: ChosenModel): Conversation {
  return project.converse({ chosen, maxSteps: maxStepsFrom(args), limits: truncatorLimits(args) });
}

/** How many answers the model may give to one question. */
export function maxStepsFrom(args: Arguments): number {
  return args.integer("max-steps", { min: 1, max: 50, fallback: 12 });
}
