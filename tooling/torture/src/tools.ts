import { createEditTool } from "@fstools/edit";
import { createGlobTool } from "@fstools/glob";
import { createGrepTool } from "@fstools/grep";
import { createLsTool } from "@fstools/ls";
import { createPatchTool } from "@fstools/patch";
import type { Tool } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createOpencodeReadEnvelopeTool } from "@fstools/read-opencode";
import type { FileVersions, RootOptions } from "@fstools/sandbox";
import { createWriteTool } from "@fstools/write";
import { examine, type Expectations, type Victim, type Answer } from "./examine.ts";
import type { Tally } from "./tally.ts";

export interface ToolsOptions {
  readonly projectRoot?: string;
  readonly roots?: readonly RootOptions[];
  readonly workingDir?: string;
  readonly deny?: readonly string[];
  readonly gitignore?: boolean;
  readonly versions?: FileVersions;
  readonly requireRead?: boolean;
}

export interface Tools {
  readonly readers: readonly Victim[];
  readonly writers: readonly Victim[];
  readonly call: (tool: string | Victim, params: unknown, expected?: Expectations) => Promise<Answer | undefined>;
}

/** Every tool, in one project; an unexpected exception of a tool is a violation. */
export function createTools(
  { projectRoot, roots = [{ path: projectRoot }], ...options }: ToolsOptions & { readonly projectRoot: string },
  tally: Tally,
): Tools {
  const onInternalError = (error: unknown) => tally.violation(`internal error: ${String(error)}`);
  const all = { ...options, roots, onInternalError, durable: false };
  const readers = [
    victimOf("LS", createLsTool(all)),
    victimOf("Glob", createGlobTool(all)),
    victimOf("Grep", createGrepTool(all)),
    victimOf("Grep in JavaScript", createGrepTool({ ...all, ripgrepPath: false })),
    victimOf("Read", createReadTool(all)),
    victimOf("read 1.2", createOpencodeReadEnvelopeTool(all)),
    victimOf("read 1.18", createOpencodeReadEnvelopeTool({ ...all, version: "1.18" })),
  ];
  const writers = [
    victimOf("Edit", createEditTool({ ...all, requireRead: false })),
    victimOf("Write", createWriteTool(all)),
    victimOf("Patch", createPatchTool(all)),
  ];
  const call: Tools["call"] = async (tool, params, expected) => {
    if (typeof tool !== "string") return examine(tally, tool, params, expected);
    const victim = [...readers, ...writers].find(({ name }) => name === tool);
    if (victim === undefined) throw new Error(`There is no tool ${tool}.`);
    return examine(tally, victim, params, expected);
  };
  return { readers, writers, call };
}

const CATEGORIES: Readonly<Record<string, Victim["category"]>> = {
  LS: "ls",
  Glob: "glob",
  Grep: "grep",
  "Grep in JavaScript": "grep",
  Edit: "edit",
  Write: "edit",
  Patch: "edit",
};

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
