import type { InferUIMessageChunk, UIMessage } from "ai";

/** What a call would change, as the tool itself tells it right before it writes. */
export interface Change {
  readonly tool: string;
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly operation: string;
  /** The whole change, as a unified diff. */
  readonly diff: string;
}

/** What a call put into the model's context, in tokens, beside what two other ways to the same facts would have put there. */
export interface Costs {
  readonly entered: number;
  /** Whole files instead of pages, matches and edits. */
  readonly wholeFiles: number;
  /** The tools of `@modelcontextprotocol/server-filesystem`. */
  readonly mcpFilesystem: number;
}

/** What is known of a call besides its answer, as soon as it is. */
export interface CallFacts {
  /** What it would change, once a person approves. */
  readonly change?: Change | undefined;
  /** Without the time that a person took to decide. */
  readonly ms?: number;
  readonly tokens?: Costs;
  /** The change in the history that it made. */
  readonly changeId?: string | undefined;
  /** Whether a person has undone that. */
  isUndone?: boolean;
}

/** What a message carries beside its parts, by the ids of its calls. */
export interface Facts {
  readonly calls?: Readonly<Record<string, CallFacts>>;
  /** Why it ended, as the model says: "stop", "length", … */
  readonly ending?: string;
}

/** A message of a conversation, as the AI SDK's `useChat` shows it. */
export type AgentMessage = UIMessage<Facts>;

/** A piece of a message on its way. */
export type AgentChunk = InferUIMessageChunk<AgentMessage>;

/** The paths of a change, in one text. */
export function placesOf(change: Change | undefined): string {
  return change?.paths?.join(", ") ?? [change?.from, change?.path].filter((path) => path !== undefined).join(" → ");
}

/** What a change does, as a verb. */
export const verbOf = ({ operation }: Change) => (/^(?:edit|update|patch)$/u.test(operation) ? "change" : operation);

/** The sum of all. */
export function sumOf(all: readonly Costs[]): Costs {
  const sum = (name: keyof Costs) => all.reduce((total, costs) => total + costs[name], 0);
  return { entered: sum("entered"), wholeFiles: sum("wholeFiles"), mcpFilesystem: sum("mcpFilesystem") };
}
