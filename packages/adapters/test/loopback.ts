import { serveOnLoopback } from "@fstools/testing";
import { text } from "node:stream/consumers";
import { z } from "zod";

const jsonObject = z.record(z.string(), z.unknown());

/** A server on loopback that answers each POST with the next of the scripted replies, and keeps what it was sent. */
export async function scriptedServer(replies: readonly object[]) {
  const requests: { path: string; body: z.output<typeof jsonObject> }[] = [];
  const baseURL = await serveOnLoopback((request, response) => {
    void text(request).then((body) => {
      requests.push({ path: request.url ?? "", body: jsonObject.parse(JSON.parse(body)) });
      const reply = replies[requests.length - 1];
      response.writeHead(reply === undefined ? 500 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(reply ?? { error: { message: "The script is over." } }));
    });
  });
  return { baseURL, requests };
}

/** A call of a function in a Chat Completions message. */
export function chatCall(name: string, json: string) {
  return { id: "call-1", type: "function", function: { name, arguments: json } } as const;
}

/** A reply of Chat Completions. */
export function chatReply(message: object, finish_reason: string) {
  return {
    id: "chat-1",
    object: "chat.completion",
    created: 1,
    model: "scripted",
    choices: [{ index: 0, message: { role: "assistant", content: null, refusal: null, ...message }, finish_reason }],
  };
}

/** A block in which Anthropic's API asks for a tool. */
export function toolUse(id: string, name: string, input: unknown) {
  return { type: "tool_use", id, name, input } as const;
}

/** A reply of Anthropic's API. */
export function anthropicReply(content: readonly object[], stop_reason: string) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return { id: "m", type: "message", role: "assistant", model: "x", content, stop_reason, stop_sequence: null, usage };
}

const messagesSchema = z.object({
  messages: z.array(z.object({ content: z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]) })),
});

/** What each request to Anthropic's API answers with last, and whether it is marked as an error. */
export function toolResults(requests: readonly { readonly body: unknown }[]) {
  return requests.flatMap(({ body }) => {
    const content = messagesSchema.parse(body).messages.at(-1)?.content;
    const results = Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [];
    return results.map((result) => [result.content, result.is_error === true]);
  });
}
