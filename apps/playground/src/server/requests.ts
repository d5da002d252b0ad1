import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";

/** A call from the tool bench. */
export const toolRequest = z.strictObject({
  params: z.unknown(),
  /** Lets a tool that writes write; without it the call is a dry run. */
  apply: z.boolean().optional(),
});

/** A change to undo, and the conversation that made it, if one did. */
export const undoRequest = z.strictObject({ change: z.string().max(200), session: z.uuid().optional() });

const decision = z.strictObject({ id: z.string().max(200), approved: z.boolean() });

/** A question to the agent, or decisions about the changes that wait. */
export const agentRequest = z.union([
  z.strictObject({ session: z.uuid(), question: z.string().trim().min(1).max(4000) }),
  z.strictObject({ session: z.uuid(), decisions: z.array(decision).min(1).max(100) }),
]);

/** An answer of this status, with what is wrong in words; for throwing. */
export const refusal = (status: 400 | 404 | 409 | 413 | 429, message: string) => new HTTPException(status, { message });

/**
 * The body of a request, checked.
 * @throws HTTPException that says what is wrong with it
 */
export async function readBody<Data>({ req }: Context, schema: z.ZodType<Data>): Promise<Data> {
  // A form of another site can post text/plain without a preflight, but not this type.
  if (!req.header("content-type")?.startsWith("application/json"))
    throw refusal(400, "The body must be sent as application/json.");
  const body: unknown = await req.json().catch((error: unknown) => {
    throw error instanceof SyntaxError ? refusal(400, "The body is not valid JSON.") : error;
  });
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw refusal(400, [...(issue?.path ?? []).map(String), issue?.message ?? "Invalid request."].join(": "));
}

/**
 * Lets so many jobs run at once: gives a function that begins one, which gives one that ends it.
 * @throws HTTPException where there is no room
 */
export function createSlots(count: number): () => () => void {
  let free = count;
  return () => {
    if (free === 0) throw refusal(429, "Too much at once; try again in a moment.");
    free--;
    return () => {
      free++;
    };
  };
}
