import { createGlobTool } from "@fstools/glob";
import { createLsTool } from "@fstools/ls";
import { createTruncator, type Tool } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createOpencodeReadEnvelopeTool } from "@fstools/read-opencode";
import { createOutputStore, createSandbox } from "@fstools/sandbox";
import type { Envelope } from "./envelope.ts";
import type { ReadFlavour } from "./read-flavour.ts";

/** When the truncator cuts, and what it keeps. */
export interface TruncatorLimits {
  readonly maxLines?: number;
  readonly maxBytes?: number;
  readonly direction?: "head" | "tail";
}

/** Cuts an answer that is too large for a model's context. */
export type Truncate = (tool: string, response: Envelope) => Promise<Envelope>;

/** The tools on one project, and the truncator that spills into it. */
export interface Toolbox {
  /** The project's own name, to show; never its place on the disk. */
  readonly projectName: string;
  /** Every tool, by name; "read" is the opencode flavour. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The tools for an agent: one of each kind. */
  toolsWith(flavour: ReadFlavour): readonly Tool[];
  createTruncator(limits?: TruncatorLimits): Truncate;
}

/** What neither a model nor a page should see, whatever the project. */
const DEFAULT_DENY: readonly string[] = [
  ...["**/.env", "**/.env.*", "**/.npmrc", "**/.netrc"],
  ...["**/*.pem", "**/*.key", "**/*.p12", "**/*.pfx"],
  ...["**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*"],
];

/** Puts the tools together for a project root; throws if it is not an existing directory. */
export function createToolbox(projectRoot: string, deny: readonly string[] = []): Toolbox {
  const options = { projectRoot, deny: [...DEFAULT_DENY, ...deny] };
  const explore: readonly Tool[] = [createLsTool(options), createGlobTool(options)];
  const readers: Readonly<Record<ReadFlavour, Tool>> = {
    standard: createReadTool(options),
    opencode: createOpencodeReadEnvelopeTool(options),
  };
  const store = createOutputStore(createSandbox(options));
  const all = [...explore, readers.standard, readers.opencode];
  return {
    projectName: projectRoot.split(/[\\/]/u).findLast((part) => part !== "") ?? "/",
    tools: new Map(all.map((tool) => [tool.name, tool])),
    toolsWith: (flavour) => [...explore, readers[flavour]],
    createTruncator: (limits = {}) => createTruncator({ store, ...limits }),
  };
}
