import type { Envelope } from "../envelope.ts";
import type { ReadFlavour } from "../read-flavour.ts";

/** What the page learns at start. */
export interface Info {
  readonly project: string;
  readonly model: { readonly label: string; readonly offline: boolean };
  readonly maxSteps: number;
  readonly tools: readonly ToolInfo[];
}

/** A tool as a model is told of it. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: object;
}

/** Limits for the truncator, as the page sends them. */
export interface TruncatorSettings {
  readonly max_lines: number;
  readonly max_bytes: number;
  readonly direction: "head" | "tail";
}

/** An answer of the tool bench: the envelope, and what the truncator made of it where it was asked to. */
export interface ToolResult {
  readonly response: Envelope;
  readonly truncated?: Envelope;
}

/** A question to the agent. */
export interface AgentQuestion {
  readonly session: string;
  readonly question: string;
  readonly read: ReadFlavour;
}
