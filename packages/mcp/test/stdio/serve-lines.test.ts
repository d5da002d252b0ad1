import { fixture } from "@fstools/testing";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createService } from "../../src/service.ts";
import { serveLines } from "../../src/stdio/serve-lines.ts";

const CLIENT = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };

/** A server at the other end of two streams, that takes lines of 1,000 bytes. */
function serve() {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new Array<Error>()];
  const { root } = fixture({ "a.txt": "one\n" });
  serveLines(createService({ roots: [root] }), {
    input,
    output,
    maxBytes: 1000,
    onError: (error) => errors.push(error),
  });
  const lines = createInterface(output)[Symbol.asyncIterator]();
  const exchange = async (message: object | string): Promise<unknown> => {
    input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
    const { value } = (await lines.next()) as { value?: string };
    return JSON.parse(value ?? "null");
  };
  return { exchange, errors, input };
}

describe("serveLines", () => {
  it.each([
    ["first", { jsonrpc: "2.0", id: 7, method: "ping", params: { x: "x".repeat(2000) } }, 7],
    ["last", { method: "ping", params: { x: "x".repeat(2000) }, jsonrpc: "2.0", id: "seven" }, "seven"],
    ["nowhere", { jsonrpc: "2.0", method: "notifications/x", params: { x: "x".repeat(2000) } }, null],
  ])("refuses a message that is too long, whose id is written %s, and goes on", async (_where, long, id) => {
    const { exchange, errors, input } = serve();
    expect(await exchange({ jsonrpc: "2.0", id: 1, method: "initialize", params: CLIENT })).toMatchObject({ id: 1 });
    expect(await exchange(long)).toMatchObject({
      id,
      error: { code: -32_600, message: expect.stringContaining("too large") as unknown },
    });
    expect(errors).toMatchObject([{ message: expect.stringContaining("was not read") as unknown }]);
    expect(await exchange({ jsonrpc: "2.0", id: 2, method: "ping" })).toMatchObject({ id: 2, result: {} });
    input.end();
  });
});
