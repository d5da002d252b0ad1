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

/** The body of a request, checked, or what is wrong with it. */
export async function readBody<Data>(
  context: Context,
  schema: z.ZodType<Data>,
): Promise<{ readonly data: Data } | { readonly problem: string }> {
  // A form of another site can post text/plain without a preflight, but not this type.
  if (!context.req.header("content-type")?.startsWith("application/json")) {
    return { problem: "The body must be sent as application/json." };
  }
  const body = parseJson(await context.req.text());
  if (!body) return { problem: "The body is not valid JSON." };
  const checked = schema.safeParse(body.value);
  return checked.success ? { data: checked.data } : { problem: firstIssue(checked.error) };
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  return issue ? [...issue.path.map(String), issue.message].join(": ") : "Invalid request.";
}

/** Lets a bounded number of jobs run at once. */
export interface Slots {
  /** A function that frees the slot again, or undefined where none is free. */
  take(): (() => void) | undefined;
}

/** Slots for so many jobs. */
export function createSlots(count: number): Slots {
  let free = count;
  return {
    take: () => {
      if (free === 0) return undefined;
      free--;
      let taken = true;
      return () => {
        if (taken) free++;
        taken = false;
      };
    },
  };
}
