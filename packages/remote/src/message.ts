import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { isRecord } from "@fstools/protocol";

/** The code of an error that stands for an answer which is not one. */
export const MALFORMED = -32_099;

/**
 * Reads what a server said; `undefined` if it is no message, as some programs print a greeting first. An answer that is
 * malformed becomes an error, since whoever waits for it must learn that it came.
 */
export function readMessage(text: string): JSONRPCMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
    return parseJSONRPCMessage(value);
  } catch {
    if (!isRecord(value) || typeof value.id !== "number" || "method" in value) return undefined;
    const message = "The server's answer is neither a result nor an error.";
    return { jsonrpc: "2.0", id: value.id, error: { code: MALFORMED, message } };
  }
}
