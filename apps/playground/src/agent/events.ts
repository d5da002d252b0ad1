import type { Envelope } from "../envelope.ts";

/** What an agent's run tells as it goes; one line of JSON each on the wire. */
export type AgentEvent =
  | { readonly type: "start"; readonly model: string; readonly offline: boolean; readonly maxSteps: number }
  | { readonly type: "step"; readonly step: number }
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  | { readonly type: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
  | ResultEvent
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
  /** UTF-8 bytes of `modelText`. */
  readonly enteredBytes: number;
  /** Bytes of the answer that the truncator kept out of the context. */
  readonly keptOutBytes: number;
  /** From the call to the answer, truncator included. */
  readonly elapsedMs: number;
}

/** How a run ended. */
export interface FinishEvent {
  readonly type: "finish";
  /** "answered", or why there is no complete answer. */
  readonly reason: "answered" | "step-limit" | "length" | "aborted" | "failed";
  readonly steps: number;
  readonly enteredBytes: number;
  readonly keptOutBytes: number;
  readonly elapsedMs: number;
}
