import { z } from "zod";
import { envelopeSchema } from "../envelope.ts";
import type { AgentEvent } from "./events.ts";

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
    enteredBytes: z.number(),
    keptOutBytes: z.number(),
    elapsedMs: z.number(),
  }),
  z.object({ type: z.literal("bad-call"), id: z.string(), tool: z.string(), message: z.string() }),
  z.object({ type: z.literal("error"), message: z.string() }),
  z.object({
    type: z.literal("finish"),
    reason: z.enum(["answered", "step-limit", "length", "aborted", "failed"]),
    steps: z.number(),
    enteredBytes: z.number(),
    keptOutBytes: z.number(),
    elapsedMs: z.number(),
  }),
]);
