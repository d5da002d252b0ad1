import type { ModelMessage } from "ai";

/** Drops whole turns from the front until the rest fits; half a turn would leave results without their calls. */
export function trimHistory(messages: readonly ModelMessage[], maxBytes: number): readonly ModelMessage[] {
  if (Buffer.byteLength(JSON.stringify(messages)) <= maxBytes) return messages;
  const nextTurn = messages.findIndex((message, index) => index > 0 && message.role === "user");
  return nextTurn === -1 ? [] : trimHistory(messages.slice(nextTurn), maxBytes);
}
