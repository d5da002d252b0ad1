import { createEditTool } from "@fstools/edit";
import { createGlobTool } from "@fstools/glob";
import { createGrepTool } from "@fstools/grep";
import { createLsTool } from "@fstools/ls";
import type { Tool } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createOpencodeReadEnvelopeTool } from "@fstools/read-opencode";
import type { FileVersions } from "@fstools/sandbox";
import { createWriteTool } from "@fstools/write";

/** A tool under attack. */
export interface Victim {
  readonly category: "ls" | "glob" | "grep" | "read" | "edit";
  readonly run: Tool["run"];
  readonly name: string;
  /** Prints absolute paths by design. */
  readonly printsAbsolutePaths: boolean;
  /** The names of its parameters. */
  readonly parameters: readonly string[];
  /** The parameter that takes a path. */
  readonly pathParameter: "path" | "filePath";
}

/** Where the victims work. */
export interface VictimOptions {
  readonly projectRoot: string;
  readonly workingDir?: string;
  readonly deny?: readonly string[];
  readonly gitignore?: boolean;
}

/** Every tool, on one project root; unexpected exceptions of a tool go to `onInternalError`. */
export function createVictims(options: VictimOptions, onInternalError: (error: unknown) => void): readonly Victim[] {
  const all = { ...options, onInternalError };
  return [
    victimOf("LS", createLsTool(all)),
    victimOf("Glob", createGlobTool(all)),
    victimOf("Grep", createGrepTool(all)),
    victimOf("Grep in JavaScript", createGrepTool({ ...all, ripgrepPath: false })),
    victimOf("Read", createReadTool(all)),
    victimOf("read 1.2", createOpencodeReadEnvelopeTool(all)),
    victimOf("read 1.18", createOpencodeReadEnvelopeTool({ ...all, version: "1.18" })),
  ];
}

/** How the tools that write are made. */
export interface WriterOptions extends VictimOptions {
  readonly versions?: FileVersions;
  readonly requireRead?: boolean;
}

/** The tools that change files; what they write is not waited for. */
export function createWriters(options: WriterOptions, onInternalError: (error: unknown) => void): readonly Victim[] {
  const all = { ...options, onInternalError, durable: false };
  return [victimOf("Edit", createEditTool({ ...all, requireRead: false })), victimOf("Write", createWriteTool(all))];
}

/** The tool of this name among the victims. */
export function victimNamed(victims: readonly Victim[], name: string): Victim {
  const victim = victims.find((candidate) => candidate.name === name);
  if (victim === undefined) throw new Error(`There is no tool ${name}.`);
  return victim;
}

const CATEGORIES: Readonly<Record<string, Victim["category"]>> = {
  LS: "ls",
  Glob: "glob",
  Grep: "grep",
  "Grep in JavaScript": "grep",
  Edit: "edit",
  Write: "edit",
};

/** A tool as a victim; names that begin with "read" are opencode's. */
export function victimOf(name: string, tool: Pick<Tool, "run" | "jsonSchema">): Victim {
  const properties: unknown = Reflect.get(tool.jsonSchema, "properties");
  const isOpencode = name.startsWith("read");
  return {
    name,
    category: CATEGORIES[name] ?? "read",
    parameters: typeof properties === "object" && properties !== null ? Object.keys(properties) : [],
    pathParameter: isOpencode ? "filePath" : "path",
    printsAbsolutePaths: isOpencode,
    run: (params, options) => tool.run(params, options),
  };
}
