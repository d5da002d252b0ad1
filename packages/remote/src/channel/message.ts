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
]);

/** What a server may send: a result, an error, or a request or notification of its own. */
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
 * @throws ChannelError if it carries an error
 */
export function resultOf(message: Message): unknown {
  if ("result" in message) return message.result;
  const reason = "error" in message ? message.error.message : "It sent a request instead of an answer.";
  throw new ChannelError("refused", reason);
}

/** The answer to a request of the server; the tools need nothing from this side. */
export function answerTo(message: Message): object | undefined {
  if (!("method" in message) || message.id === undefined) return undefined;
  if (message.method === "ping") return { jsonrpc: "2.0", id: message.id, result: {} };
  return { jsonrpc: "2.0", id: message.id, error: { code: -32_601, message: "Method not found" } };
}
