import { createTruncator, type Tool } from "@fstools/protocol";
import { createOutputStore } from "@fstools/sandbox";
import { createToolset, TOOL_NAMES, WRITING_TOOL_NAMES, type ToolName } from "@fstools/toolset";
import type { Approvals } from "./agent/approvals.ts";
import type { Costs } from "./costs.ts";
import type { Envelope } from "./envelope.ts";
import { createMeasure } from "./measure.ts";
import type { ProjectKind } from "./questions.ts";
import type { ReadFlavour } from "./read-flavour.ts";
import type { WriteMode } from "./write-mode.ts";

/** When the truncator cuts, and what it keeps. */
export interface TruncatorLimits {
  readonly maxLines?: number;
  readonly maxBytes?: number;
  readonly direction?: "head" | "tail";
}

/** Cuts an answer that is too large for a model's context. */
export type Truncate = (tool: string, response: Envelope) => Promise<Envelope>;

/** Which project to open, and how. */
export interface ProjectOptions {
  readonly root: string;
  /** Files that stay invisible, besides secrets. */
  readonly deny?: readonly string[];
  /** @default read-only */
  readonly mode?: WriteMode;
  /** @default "any" */
  readonly kind?: ProjectKind;
}

/** A project that the playground shows: its tools, and the truncator that spills into it. */
export interface Project {
  /** Its own name, to show; never its place on the disk. */
  readonly name: string;
  readonly kind: ProjectKind;
  readonly mode: WriteMode;
  /** Every tool, for the bench; "read" is the opencode flavour. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The names of tools that are not offered here. */
  readonly off: readonly string[];
  /** The tools of one conversation, one of each kind; Edit and Write ask `approvals` before they change a file. */
  toolsWith(flavour: ReadFlavour, approvals?: Approvals): readonly Tool[];
  createTruncator(limits?: TruncatorLimits): Truncate;
  /** Makes what counts the costs of one conversation. */
  createMeasure(): (response: Envelope) => Promise<Costs>;
}

const READ_ONLY: WriteMode = { writable: false, reason: "" };
const OTHER_READER: Readonly<Record<ReadFlavour, ToolName>> = { standard: "read", opencode: "Read" };

/** Opens a project; throws if its root is not an existing directory. */
export function openProject({ root, deny = [], mode = READ_ONLY, kind = "any" }: ProjectOptions): Project {
  const names = TOOL_NAMES.filter((name) => mode.writable || !WRITING_TOOL_NAMES.includes(name));
  const bench = createToolset({ projectRoot: root, deny, gitignore: true, tools: names });
  const store = createOutputStore(bench.sandbox);
  return {
    name: root.split(/[\\/]/u).findLast((part) => part !== "") ?? "/",
    kind,
    mode,
    tools: new Map(bench.tools.map((tool) => [tool.name, tool])),
    off: TOOL_NAMES.filter((name) => !names.includes(name)),
    toolsWith: (flavour, approvals) => {
      const tools = names.filter((name) => name !== OTHER_READER[flavour]);
      // Without anyone to ask there is no approval.
      const asking = { confirm: approvals?.confirm ?? (() => false) };
      return createToolset({ sandbox: bench.sandbox, tools, edit: asking, write: asking }).tools;
    },
    createTruncator: (limits = {}) => createTruncator({ store, ...limits }),
    createMeasure: () => createMeasure(bench.sandbox),
  };
}
