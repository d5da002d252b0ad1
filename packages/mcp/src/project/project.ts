import type { AgentTool } from "@fstools/adapters/mcp";
import type { RunOptions, Tool, ToolResponse, Truncator } from "@fstools/protocol";
import { createToolset, type ToolName, type Toolset, type ToolsetOptions } from "@fstools/toolset";
import { isAbsolute } from "./absolute.ts";
import { labelResponse, type LabelledCall } from "./label-response.ts";
import { below, holds, type LabelledRoot, labelRoots } from "./labels.ts";
import { findPath, findPattern, withValue } from "./path-parameter.ts";
import { rulesOf } from "./rules.ts";

/** What the tools of every root share. */
export type ProjectOptions = Omit<ToolsetOptions, "projectRoot" | "sandbox" | "workingDir" | "tools"> & {
  readonly tools: readonly ToolName[];
  /** Globs for what the tools must not show, relative to each root. */
  readonly deny: readonly string[];
  /** Globs for what the tools must not change, relative to each root. */
  readonly protect: readonly string[];
  readonly defaultDeny: boolean;
  readonly gitignore: boolean;
};

/** The tools over one root or several. */
export interface Project {
  /** The tool of this name; over several roots it takes and prints labelled paths. */
  tool(name: ToolName): AgentTool;
  readonly truncate: Truncator;
}

/** A root, and the toolset that serves it: its own, or that of a root which holds it. */
interface ServedRoot extends LabelledRoot {
  readonly toolset: Toolset;
  /** The label of the root to which the toolset's paths are relative. */
  readonly printed: string;
  /** Where the root lies in the toolset's project: "." for its root. */
  readonly inside: string;
}

/**
 * Makes the tools over one root or several.
 * @throws Error if a root is not an existing directory, or a rule cannot be used
 */
export function createProject(roots: readonly string[], options: ProjectOptions): Project {
  const [only] = roots;
  if (only !== undefined && new Set(roots).size === 1) {
    const toolset = createToolset({ ...options, projectRoot: only });
    return { tool: (name) => toolOf(toolset, name), truncate: toolset.truncate };
  }
  const served = serveRoots(roots, options);
  const [first] = served;
  if (first === undefined) throw new Error("A project needs a root.");
  return {
    tool: (name) => {
      const described = toolOf(first.toolset, name);
      return { ...described, run: (input, call) => run(served, name, input, call) };
    },
    truncate: first.toolset.truncate,
  };
}

function serveRoots(roots: readonly string[], options: ProjectOptions): ServedRoot[] {
  const found = [...new Set(roots)].map((spelled) => {
    const { sandbox } = createToolset({ projectRoot: spelled, tools: [] });
    return { spelled, real: sandbox.root.absolute };
  });
  const labelled = labelRoots(found);
  const toolsets = new Map<string, Toolset>();
  return labelled.map((root) => {
    // A directory inside another root is served by that one, so that the rules of both apply.
    const outer = outermost(labelled, root);
    const inner = labelled.filter(({ real }) => real !== outer.real && holds(outer.real, real));
    const toolset =
      toolsets.get(outer.real) ??
      createToolset({ ...options, ...rulesOf(outer, inner, options), projectRoot: outer.spelled });
    toolsets.set(outer.real, toolset);
    return { ...root, toolset, printed: outer.label, inside: below(outer.real, root.real) };
  });
}

function outermost(roots: readonly LabelledRoot[], root: LabelledRoot): LabelledRoot {
  const holding = roots.filter(({ real }) => holds(real, root.real));
  return holding.reduce((outer, other) => (other.real.length < outer.real.length ? other : outer), root);
}

async function run(
  roots: readonly ServedRoot[],
  name: ToolName,
  input: unknown,
  options: RunOptions | undefined,
): Promise<ToolResponse<object>> {
  const { root, passedInput, call } = choose(roots, name, input);
  return labelResponse(await toolOf(root.toolset, name).run(passedInput, options), call);
}

interface Choice {
  readonly root: ServedRoot;
  readonly passedInput: unknown;
  readonly call: LabelledCall;
}

/** The root that a call means, by its path or its pattern, and the call as that root's tool takes it. */
function choose(roots: readonly ServedRoot[], name: ToolName, input: unknown): Choice {
  const [root] = roots;
  if (root === undefined) throw new Error("A project has a root.");
  const tool = toolOf(root.toolset, name);
  const path = findPath(input, tool);
  const named = path === undefined ? undefined : locate(roots, path.value);
  if (path !== undefined && named !== undefined) {
    const passedInput = withValue(input, path.key, named.passed);
    return choice(named.root, { passed: named.passed, given: path.value, replaced: path }, passedInput);
  }
  // Grep's pattern is about what is in files.
  const pattern = path === undefined && name === "Glob" ? findPattern(input, tool) : undefined;
  const searched = pattern === undefined ? undefined : locate(roots, pattern.value);
  if (pattern !== undefined && searched !== undefined) {
    const passedInput = withValue(input, pattern.key, searched.passed);
    return choice(searched.root, { passed: undefined, given: undefined, replaced: pattern }, passedInput);
  }
  // An absolute path that no root holds is about to be refused.
  const isOutside = path !== undefined && isAbsolute(path.value);
  const others = roots.filter((other) => other !== root).map(({ label }) => `'${label}'`);
  const note = `Note: a path without a root's name is taken from '${root.label}'. Other roots: ${others.join(", ")}.`;
  const call = { passed: path?.value, given: path?.value, replaced: undefined, ...(isOutside ? {} : { note }) };
  return choice(root, call, input);
}

function choice(
  root: ServedRoot,
  call: Omit<LabelledCall, "label" | "note"> & { readonly note?: string },
  passedInput: unknown,
): Choice {
  return { root, passedInput, call: { note: undefined, ...call, label: root.printed } };
}

/** A labelled or absolute path as the tools of its root take it. */
function locate(roots: readonly ServedRoot[], path: string): { root: ServedRoot; passed: string } | undefined {
  const [label = "", ...rest] = path.replace(/^\.\//u, "").split("/");
  const labelled = roots.find((root) => root.label === label);
  if (labelled !== undefined) return { root: labelled, passed: join(labelled.inside, rest.join("/")) };
  const spellings = roots.flatMap((root) => [
    { root, directory: root.real },
    { root, directory: root.spelled },
  ]);
  const holding = spellings.filter(({ directory }) => holds(directory, path));
  const innermost = holding.sort((one, other) => other.directory.length - one.directory.length)[0];
  if (innermost === undefined) return undefined;
  return { root: innermost.root, passed: join(innermost.root.inside, below(innermost.directory, path)) };
}

function join(directory: string, rest: string): string {
  if (rest === "" || rest === ".") return directory;
  return directory === "." ? rest : `${directory}/${rest}`;
}

function toolOf(toolset: Toolset, name: ToolName): Tool {
  const tool = toolset.tool(name);
  if (tool === undefined) throw new Error(`The toolset lacks '${name}'.`);
  return tool;
}
