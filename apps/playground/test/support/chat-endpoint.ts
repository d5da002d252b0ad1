import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z
    .array(z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) }))
    .optional(),
});

/** What a client of the chat completions protocol sent. */
export type ChatRequest = z.output<typeof requestSchema>;

/** A tool call to stream, with its arguments in pieces. */
interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly pieces: readonly string[];
}

/** What the model says to one request. */
export type Reply =
  | { readonly text: readonly string[]; readonly reason?: string }
  | { readonly calls: readonly ScriptedCall[]; readonly text?: readonly string[] }
  /** Breaks the connection in the middle, or ends it without saying that it is complete. */
  | { readonly text: readonly string[]; readonly broken: "socket" | "end" }
  /** Sends this text, and then nothing more until the client goes away. */
  | { readonly text: readonly string[]; readonly hangs: true };

/** An OpenAI-compatible endpoint on loopback that speaks the streaming protocol and says what a script tells it. */
export interface ChatEndpoint {
  readonly baseUrl: string;
  readonly requests: readonly ChatRequest[];
  /** Resolves when a client closes a connection before its answer was complete. */
  readonly clientLeft: Promise<void>;
  close(): Promise<void>;
}

/** Starts an endpoint that takes one key and answers each request with what `script` returns for it. */
export async function startChatEndpoint(
  key: string,
  script: (request: ChatRequest, index: number) => Reply,
): Promise<ChatEndpoint> {
  const requests: ChatRequest[] = [];
  let left: () => void = () => undefined;
  const clientLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = createServer((request, response) => {
    response.on("close", () => {
      if (!response.writableEnded) left();
    });
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
      response.writeHead(404).end();
      return;
    }
    if (request.headers.authorization !== `Bearer ${key}`) {
      const message = `Incorrect API key provided: ${request.headers.authorization ?? "none"}`;
      response.writeHead(401, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: { message, type: "invalid_request_error", code: "invalid_api_key" } }));
      return;
    }
    const body = requestSchema.parse(JSON.parse(await textOf(request)));
    requests.push(body);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const chunk of chunksOf(script(body, requests.length - 1))) {
      if (chunk === "hang") return;
      if (chunk === "break") {
        response.destroy();
        return;
      }
      response.write(chunk);
      // A chunk a packet, so that the client has to put pieces together.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    clientLeft,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}

function* chunksOf(reply: Reply): Generator<string> {
  yield event({ role: "assistant", content: "" });
  for (const content of reply.text ?? []) yield event({ content });
  if ("hangs" in reply) {
    yield "hang";
    return;
  }
  if ("broken" in reply) {
    if (reply.broken === "socket") yield "break";
    return;
  }
  if ("calls" in reply) {
    for (const [index, { id, name, pieces }] of reply.calls.entries()) {
      yield event({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
      for (const piece of pieces) yield event({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
    yield event({}, "tool_calls");
  } else {
    yield event({}, reply.reason ?? "stop");
  }
  yield "data: [DONE]\n\n";
}

function event(delta: object, finishReason: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finishReason };
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "test", choices: [choice] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
