import { serveOnLoopback } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { serveFetch } from "../../src/http/serve-fetch.ts";

async function listen(fetch: (request: Request) => Promise<Response>): Promise<{ url: string; errors: unknown[] }> {
  const errors: unknown[] = [];
  const url = await serveOnLoopback((incoming, outgoing) => {
    serveFetch(incoming, outgoing, fetch).catch((error: unknown) => errors.push(error));
  });
  return { url, errors };
}

describe("serveFetch", () => {
  it("carries method, path, headers, body and status over", async () => {
    const { url } = await listen(async (request) =>
      Response.json(
        {
          method: request.method,
          path: new URL(request.url).pathname,
          tag: request.headers.get("x-tag"),
          body: await request.text(),
        },
        { status: 201, headers: { "x-answer": "yes" } },
      ),
    );
    const response = await fetch(`${url}/mcp?x=1`, { method: "POST", headers: { "x-tag": "a" }, body: "hello" });
    expect(await response.json()).toEqual({ method: "POST", path: "/mcp", tag: "a", body: "hello" });
    expect([response.status, response.headers.get("x-answer")]).toEqual([201, "yes"]);
  });

  it("streams what comes, as it comes", async () => {
    let push: (text: string) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        push = (text) => {
          controller.enqueue(new TextEncoder().encode(text));
        };
      },
    });
    const { url } = await listen(() => Promise.resolve(new Response(body)));
    const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader();
    push("first");
    expect(await reader?.read()).toMatchObject({ value: "first" });
    push("second");
    expect(await reader?.read()).toMatchObject({ value: "second" });
    await reader?.cancel();
  });

  it("aborts the request when the client goes away", async () => {
    const abort = new AbortController();
    let tellAborted: () => void = () => undefined;
    const aborted = new Promise<void>((resolve) => {
      tellAborted = resolve;
    });
    const { url } = await listen((request) => {
      request.signal.addEventListener("abort", tellAborted);
      abort.abort();
      return new Promise<Response>(() => undefined);
    });
    await expect(fetch(url, { method: "POST", body: "x", signal: abort.signal })).rejects.toThrow("aborted");
    await aborted;
  });

  it("answers 500 when the handler fails, and tells the host why", async () => {
    const { url, errors } = await listen(() => Promise.reject(new Error("boom")));
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([500, ""]);
    expect(errors).toEqual([new Error("boom")]);
  });
});
