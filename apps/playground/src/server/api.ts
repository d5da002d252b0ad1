import { z } from "zod";
import { envelopeSchema, type Envelope } from "../envelope.ts";
import type { ReadFlavour } from "../read-flavour.ts";

/** What the page learns at start. */
export const infoSchema = z.object({
  project: z.object({
    /** Its name, never its place. */
    name: z.string(),
    kind: z.enum(["demo", "own", "any"]),
    /** Whether Edit and Write are offered, and why (not). */
    writable: z.boolean(),
    reason: z.string(),
  }),
  model: z.object({ label: z.string(), offline: z.boolean() }),
  maxSteps: z.number(),
  /** The tools, as a model sees them. */
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      jsonSchema: z.looseObject({}),
      effect: z.enum(["read", "write"]),
    }),
  ),
  questions: z.array(z.object({ question: z.string(), inDemo: z.boolean().optional() })),
});

/** What the page learns at start. */
export type Info = z.infer<typeof infoSchema>;

/** What each tool's definition costs in a model's context, in tokens, by name. */
export const definitionCostsSchema = z.record(z.string(), z.number());

const viewCostsSchema = z.object({ compact: z.number(), document: z.number(), envelope: z.number() });

/** What an answer costs in tokens, by the form in which it enters a context. */
export type ViewCosts = z.infer<typeof viewCostsSchema>;

/** An answer of the tool bench. */
export const toolResultSchema = z.object({
  response: envelopeSchema,
  truncated: envelopeSchema.optional(),
  tokens: viewCostsSchema,
});

/** An answer of the tool bench: the envelope, and what the truncator made of it where it was asked to. */
export interface ToolResult {
  readonly response: Envelope;
  readonly truncated?: Envelope | undefined;
  /** Of what would enter the context: the truncator's product, where there is one. */
  readonly tokens: ViewCosts;
}

/** Limits for the truncator, as the page sends them. */
export interface TruncatorSettings {
  readonly max_lines: number;
  readonly max_bytes: number;
  readonly direction: "head" | "tail";
}

/** A call from the tool bench. */
export interface ToolRequest {
  readonly params: unknown;
  readonly truncator?: TruncatorSettings | undefined;
  /** Lets a tool that writes write; without it the call is a dry run. */
  readonly apply?: boolean | undefined;
}

/** A question to the agent. */
export interface AgentQuestion {
  readonly session: string;
  readonly question: string;
  readonly read: ReadFlavour;
}

/** A decision about a change that waits. */
export interface Decision {
  readonly session: string;
  readonly id: string;
  readonly approved: boolean;
}
