import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client, ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { z } from "@fstools/protocol";
import { createHttpTransport, type Endpoint } from "./http.ts";
import { CallFailure, MALFORMED } from "./message.ts";
import { type Command, type ProcessTransport, startProcess } from "./process.ts";

/** A connection to an MCP server on which requests are answered. */
export type Channel = Awaited<ReturnType<typeof openChannel>>;

interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

export const HANDSHAKE_MS = 30_000;

/** The errors that a server answers with before it does anything. */
const REFUSALS: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602]);

const resultSchema = z.record(z.string(), z.unknown());

/** Connects to a server. @throws CallFailure; TypeError if a token could be read on its way there */
export async function openChannel(options: Command | Endpoint) {
  const transport: ProcessTransport | StreamableHTTPClientTransport =
    "url" in options ? createHttpTransport(options) : startProcess(options);
  const client = new Client({ name: "fstools-remote", version: "1" });
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };
  const whyClosed = () => ("reason" in transport ? transport.reason : undefined) ?? "The connection is closed.";
  const fail = (error: unknown): CallFailure => {
    const failure = toFailure(error, whyClosed);
    if (failure.progress === "lost" || failure.progress === "not_sent") {
      isOpen = false;
      // A program that no longer answers would go on for ever beside the next one.
      if ("reason" in transport) void transport.close();
    }
    return failure;
  };

  try {
    await client.connect(transport, { timeout: HANDSHAKE_MS });
  } catch (error) {
    await transport.close();
    throw error instanceof SdkError || error instanceof ProtocolError || error instanceof CallFailure
      ? fail(error)
      : new CallFailure("invalid", "The server's answer to the handshake is not valid.", { cause: error });
  }
  return {
    /** Whether it can still be used. */
    get isOpen() {
      return isOpen;
    },
    serverName: client.getServerVersion()?.name,
    /** An abort cancels the request at the server. @throws CallFailure, or what the SDK makes of the signal's reason */
    request: async (
      method: string,
      params: Record<string, unknown>,
      { signal, timeoutMs }: RequestOptions,
    ): Promise<unknown> => {
      if (!isOpen) throw new CallFailure("not_sent", whyClosed());
      try {
        const limits = { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) };
        return await client.request({ method, params }, resultSchema, limits);
      } catch (error) {
        throw signal?.aborted === true ? error : fail(error);
      }
    },
    close: async () => {
      // A server that is gone needs no goodbye.
      if (isOpen && "terminateSession" in transport) await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

function toFailure(error: unknown, whyClosed: () => string): CallFailure {
  if (error instanceof CallFailure) return error;
  if (error instanceof ProtocolError) {
    const { code, message } = error;
    if (REFUSALS.has(code)) return new CallFailure("refused", message);
    return new CallFailure("invalid", code === MALFORMED ? message : `The server reports an error: ${message}`);
  }
  const code = error instanceof SdkError ? error.code : undefined;
  if (code === SdkErrorCode.RequestTimeout) return new CallFailure("lost", "The server did not answer in time.");
  if (code === SdkErrorCode.InvalidResult) {
    return new CallFailure("invalid", "The server's answer to the handshake is not valid.", { cause: error });
  }
  return new CallFailure("lost", whyClosed(), { cause: error });
}
