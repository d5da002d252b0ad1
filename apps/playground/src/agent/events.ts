import type { Costs } from "../costs.ts";
import type { Envelope } from "../envelope.ts";

/** What an agent's run tells as it goes; one line of JSON each on the wire. */
export type AgentEvent =
  | { readonly type: "start"; readonly model: string; readonly offline: boolean; readonly maxSteps: number }
  | { readonly type: "step"; readonly step: number }
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  | { readonly type: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
  | ResultEvent
  | ApprovalEvent
  /** What became of a change that waited for approval. */
  | { readonly type: "decision"; readonly id: string; readonly approved: boolean }
  | { readonly type: "bad-call"; readonly id: string; readonly tool: string; readonly message: string }
  | { readonly type: "error"; readonly message: string }
  | FinishEvent;

/** A tool's answer, as it entered the history. */
export interface ResultEvent {
  readonly type: "result";
  readonly id: string;
  readonly tool: string;
  /** The envelope after the truncator. */
  readonly response: Envelope;
  /** What the model reads. */
  readonly modelText: string;
  /** Tokens of `modelText`, and what other ways would have cost. */
  readonly tokens: Costs;
  /** Bytes of the answer that the truncator kept out of the context. */
  readonly keptOutBytes: number;
  /** From the call to the answer, truncator included. */
  readonly elapsedMs: number;
}

/** A change to a file that waits until someone approves or declines it. */
export interface ApprovalEvent {
  readonly type: "approval";
  readonly id: string;
  readonly tool: string;
  readonly path: string;
  readonly operation: string;
  /** The whole change, as a unified diff. */
  readonly diff: string;
}

/** How a run ended. */
export interface FinishEvent {
  readonly type: "finish";
  /** "answered", or why there is no complete answer. */
  readonly reason: "answered" | "step-limit" | "length" | "aborted" | "failed";
  readonly steps: number;
  /** The sums of its calls. */
  readonly tokens: Costs;
  readonly keptOutBytes: number;
  readonly elapsedMs: number;
}
