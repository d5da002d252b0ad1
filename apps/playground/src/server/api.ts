import { z } from "zod";
import { envelopeSchema, type Envelope } from "../envelope.ts";
import type { ReadFlavour } from "../read-flavour.ts";

/** What the page learns at start. */
export const infoSchema = z.object({
  /** The project's name. */
  project: z.string(),
  model: z.object({ label: z.string(), offline: z.boolean() }),
  maxSteps: z.number(),
  /** The tools, as a model is told of them. */
  tools: z.array(z.object({ name: z.string(), description: z.string(), jsonSchema: z.looseObject({}) })),
});

/** What the page learns at start. */
export type Info = z.infer<typeof infoSchema>;

/** An answer of the tool bench. */
export const toolResultSchema = z.object({ response: envelopeSchema, truncated: envelopeSchema.optional() });

/** An answer of the tool bench: the envelope, and what the truncator made of it where it was asked to. */
export interface ToolResult {
  readonly response: Envelope;
  readonly truncated?: Envelope | undefined;
}

/** Limits for the truncator, as the page sends them. */
export interface TruncatorSettings {
  readonly max_lines: number;
  readonly max_bytes: number;
  readonly direction: "head" | "tail";
}

/** A question to the agent. */
export interface AgentQuestion {
  readonly session: string;
  readonly question: string;
  readonly read: ReadFlavour;
}
