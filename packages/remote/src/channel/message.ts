import { z } from "@fstools/protocol";
import { ChannelError } from "./channel.ts";

const id = z.union([z.int(), z.string().max(64)]);

const messageSchema = z.union([
  z.object({ jsonrpc: z.literal("2.0"), id, result: z.record(z.string(), z.unknown()) }),
  z.object({
    jsonrpc: z.literal("2.0"),
    id: id.nullish(),
    error: z.object({ code: z.int(), message: z.string() }),
  }),
  z.object({ jsonrpc: z.literal("2.0"), id: id.optional(), method: z.string() }),
  // Whoever waits for the answer of this id must learn that it came, whatever is wrong with it.
  z.object({ id }),
]);

/** The errors that a server answers with before it does anything. */
const REFUSALS: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602]);

/** What a server may send: a result, an error, a request or notification of its own, or an answer that is not valid. */
export type Message = z.output<typeof messageSchema>;

/** Reads one message of a server; `undefined` if it is not one. */
export function parseMessage(text: string): Message | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: some programs print a greeting before the server speaks.
    return undefined;
  }
}

/**
 * The result that a message carries.
 * @throws ChannelError if it carries an error, or nothing that can be used
 */
export function resultOf(message: Message): unknown {
  if ("result" in message) return message.result;
  if (!("error" in message)) {
    throw new ChannelError("invalid", "The server's answer is neither a result nor an error.");
  }
  const { code, message: reason } = message.error;
  if (REFUSALS.has(code)) throw new ChannelError("refused", reason);
  throw new ChannelError("invalid", `The server reports an error: ${reason}`);
}

/** The answer to a request of the server; the tools need nothing from this side. */
export function answerTo(message: Message): object | undefined {
  if (!("method" in message) || message.id === undefined) return undefined;
  if (message.method === "ping") return { jsonrpc: "2.0", id: message.id, result: {} };
  return { jsonrpc: "2.0", id: message.id, error: { code: -32_601, message: "Method not found" } };
}
