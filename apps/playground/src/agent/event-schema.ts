import { z } from "zod";
import { envelopeSchema } from "../envelope.ts";
import type { AgentEvent } from "./events.ts";

const costs = z.object({ entered: z.number(), wholeFiles: z.number(), mcpFilesystem: z.number() });

/** Reads an event back from the wire. */
export const agentEventSchema: z.ZodType<AgentEvent> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), model: z.string(), offline: z.boolean(), maxSteps: z.number() }),
  z.object({ type: z.literal("step"), step: z.number() }),
  z.object({ type: z.literal("text"), delta: z.string() }),
  z.object({ type: z.literal("reasoning"), delta: z.string() }),
  z.object({ type: z.literal("call"), id: z.string(), tool: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal("result"),
    id: z.string(),
    tool: z.string(),
    response: envelopeSchema,
    modelText: z.string(),
    tokens: costs,
    keptOutBytes: z.number(),
    elapsedMs: z.number(),
  }),
  z.object({
    type: z.literal("approval"),
    id: z.string(),
    tool: z.string(),
    path: z.string(),
    operation: z.string(),
    diff: z.string(),
  }),
  z.object({ type: z.literal("decision"), id: z.string(), approved: z.boolean() }),
  z.object({ type: z.literal("bad-call"), id: z.string(), tool: z.string(), message: z.string() }),
  z.object({ type: z.literal("error"), message: z.string() }),
  z.object({
    type: z.literal("finish"),
    reason: z.enum(["answered", "step-limit", "length", "aborted", "failed"]),
    steps: z.number(),
    tokens: costs,
    keptOutBytes: z.number(),
    elapsedMs: z.number(),
  }),
]);
