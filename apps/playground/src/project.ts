import { createTruncator, type Tool } from "@fstools/protocol";
import { createOutputStore } from "@fstools/sandbox";
import { createToolset, TOOL_NAMES, type ToolName } from "@fstools/toolset";
import type { Costs } from "./costs.ts";
import type { Envelope } from "./envelope.ts";
import { costsOf } from "./measure.ts";
import type { ReadFlavour } from "./read-flavour.ts";

/** When the truncator cuts, and what it keeps. */
export interface TruncatorLimits {
  readonly maxLines?: number;
  readonly maxBytes?: number;
  readonly direction?: "head" | "tail";
}

/** Cuts an answer that is too large for a model's context. */
export type Truncate = (tool: string, response: Envelope) => Promise<Envelope>;

/** A project that the playground shows: its tools, and the truncator that spills into it. */
export interface Project {
  /** Its own name, to show; never its place on the disk. */
  readonly name: string;
  /** Every tool, for the bench; "read" is the opencode flavour. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The tools of an agent: one of each kind. */
  toolsWith(flavour: ReadFlavour): readonly Tool[];
  createTruncator(limits?: TruncatorLimits): Truncate;
  /** Counts what an answer puts into a model's context. */
  readonly measure: (response: Envelope) => Promise<Costs>;
}

/** What neither a model nor a page should see, whatever the project. */
const DEFAULT_DENY: readonly string[] = [
  ...["**/.env", "**/.env.*", "**/.npmrc", "**/.netrc"],
  ...["**/*.pem", "**/*.key", "**/*.p12", "**/*.pfx"],
  ...["**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*"],
];

/** Opens a project; throws if its root is not an existing directory. */
export function openProject(projectRoot: string, deny: readonly string[] = []): Project {
  const options = { projectRoot, deny: [...DEFAULT_DENY, ...deny] };
  const toolsetOf = (tools: readonly ToolName[]) => createToolset({ ...options, tools });
  const bench = toolsetOf(TOOL_NAMES);
  const store = createOutputStore(bench.sandbox);
  return {
    name: projectRoot.split(/[\\/]/u).findLast((part) => part !== "") ?? "/",
    tools: new Map(bench.tools.map((tool) => [tool.name, tool])),
    toolsWith: (flavour) => toolsetOf(TOOL_NAMES.filter((name) => name !== OTHER_READER[flavour])).tools,
    createTruncator: (limits = {}) => createTruncator({ store, ...limits }),
    measure: (response) => costsOf(response, bench.sandbox),
  };
}

const OTHER_READER: Readonly<Record<ReadFlavour, ToolName>> = { standard: "read", opencode: "Read" };
