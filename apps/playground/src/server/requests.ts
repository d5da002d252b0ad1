import type { Context } from "hono";
import { z } from "zod";

/** A call from the tool bench. */
export const toolRequest = z.strictObject({
  params: z.unknown(),
  truncator: z
    .strictObject({
      max_lines: z.int().min(1).max(100_000),
      max_bytes: z.int().min(100).max(10_000_000),
      direction: z.enum(["head", "tail"]),
    })
    .optional(),
  /** Lets a tool that writes write; without it the call is a dry run. */
  apply: z.boolean().optional(),
});

const decision = z.strictObject({ id: z.string().max(200), approved: z.boolean() });

/** A question to the agent, or decisions about the changes that wait. */
export const agentRequest = z.union([
  z.strictObject({ session: z.uuid(), question: z.string().trim().min(1).max(4000) }),
  z.strictObject({ session: z.uuid(), decisions: z.array(decision).min(1).max(100) }),
]);

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("The body is not valid JSON.");
    return z.NEVER;
  }
});

/** The body of a request, checked, or what is wrong with it. */
export async function readBody<Data>(
  context: Context,
  schema: z.ZodType<Data>,
): Promise<{ readonly data: Data } | { readonly problem: string }> {
  // A form of another site can post text/plain without a preflight, but not this type.
  if (!context.req.header("content-type")?.startsWith("application/json"))
    return { problem: "The body must be sent as application/json." };
  const checked = json.pipe(schema).safeParse(await context.req.text());
  if (checked.success) return { data: checked.data };
  const [issue] = checked.error.issues;
  return { problem: [...(issue?.path ?? []).map(String), issue?.message ?? "Invalid request."].join(": ") };
}

/** Lets so many jobs run at once: gives a function that ends one, or undefined where there is no room. */
export function createSlots(count: number): () => (() => void) | undefined {
  let free = count;
  return () => {
    if (free === 0) return undefined;
    free--;
    return () => {
      free++;
    };
  };
}
