import { fixture } from "@fstools/testing";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type Service } from "../src/service.ts";
import { serveStreams } from "../src/stdio.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: "first",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** For a machine that has other things to do. */
const PATIENT = { timeout: 30_000 };

/** A server at the other end of two streams, and the ids that it has answered. */
async function serve(service: Service = createService({ roots: [fixture({ "a.txt": "one\n" }).root] })) {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new Array<string>()];
  serveStreams(service, { input, output, onError: ({ message }) => errors.push(message) });
  onTestFinished(() => {
    input.end();
  });
  const answered: unknown[] = [];
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answered.push((JSON.parse(line) as { id?: unknown }).id);
  });
  const write = (line: string) => input.write(`${line}\n`);
  const send = (message: object) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));
  send(INITIALIZE);
  await expect.poll(() => answered, PATIENT).toEqual(["first"]);
  return { input, output, errors, answered, write, send };
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

function call(id: number, tool: string, input: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":${input}}}`;
}

describe("serveStreams", () => {
  it.each([
    ["nested lists", nested(8000)],
    ["a batch of 300,000 requests", `[${Array(300_000).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`],
    ["arguments of many levels", call(1, "Read", `{"path":${nested(200_000)}}`)],
    ["an id of many levels", `{"jsonrpc":"2.0","id":${nested(20_000)},"method":"ping"}`],
    ["an answer of many levels to no question", `{"jsonrpc":"2.0","id":1,"result":{"x":${nested(20_000)}}}`],
    ["a path of 40 MB", call(1, "Read", `{"path":"${"x".repeat(40e6)}"}`)],
    ["no JSON", "{"],
    ["no object", "7"],
  ])("answers on after %s", async (_case, line) => {
    const { write, send, answered } = await serve();
    write(line);
    send({ id: "next", method: "ping" });
    await expect.poll(() => answered, PATIENT).toContain("next");
  });

  it("ends a connection with a message over 96 MiB, and says why", async () => {
    const { input, errors, output } = await serve();
    for (let mebibytes = 0; mebibytes < 97; mebibytes += 1) input.write(Buffer.alloc(1024 * 1024, "x"));
    await expect.poll(() => errors, PATIENT).toEqual([`A message is larger than ${96 * 1024 * 1024} bytes.`]);
    await expect.poll(() => input.destroyed, PATIENT).toBe(true);
    expect(output.readableLength).toBe(0);
  });

  it("reads no more from a client that does not read its answers", async () => {
    const { input, output, send, answered } = await serve();
    output.pause();
    const pings = 20_000;
    for (let id = 0; id < pings; id += 1) send({ id, method: "ping" });
    const waiting = input.readableLength + input.writableLength;
    // Both ends have stopped: nothing moves any more.
    let before = -1;
    await expect
      .poll(() => {
        const same = before === output.writableLength;
        before = output.writableLength;
        return same && before > 0;
      }, PATIENT)
      .toBe(true);
    expect(input.readableLength + input.writableLength).toBeGreaterThan(waiting / 2);
    output.resume();
    await expect.poll(() => answered.length, PATIENT).toBe(pings + 1);
  });

  it("begins no more calls than it can hold", async () => {
    const { root } = fixture({ "a.txt": "one\n" });
    const service = createService({ roots: [root] });
    let [running, most] = [0, 0];
    const counting: Service = {
      ...service,
      openConversation: () => {
        const conversation = service.openConversation();
        return {
          call: async (...request) => {
            running += 1;
            most = Math.max(most, running);
            try {
              return await conversation.call(...request);
            } finally {
              running -= 1;
            }
          },
        };
      },
    };
    const { write, answered } = await serve(counting);
    const calls = 5000;
    for (let id = 0; id < calls; id += 1) write(call(id, "LS", "{}"));
    await expect.poll(() => answered.length, PATIENT).toBe(calls + 1);
    expect(most).toBeLessThan(300);
  });

  // As who pipes requests in does at once.
  it("answers what was asked before the client closed its end", async () => {
    const { input, output, write, answered } = await serve();
    for (let id = 0; id < 20; id += 1)
      write(call(id, id % 2 === 0 ? "Grep" : "Read", '{"path":"a.txt","pattern":"one"}'));
    input.end();
    await expect.poll(() => answered.length, PATIENT).toBe(21);
    await expect.poll(() => output.writableLength, PATIENT).toBe(0);
  });

  it("stops when the client no longer takes anything", async () => {
    const { input, output, errors } = await serve();
    output.destroy(new Error("EPIPE"));
    await expect.poll(() => input.destroyed, PATIENT).toBe(true);
    expect(errors).toEqual(["EPIPE"]);
  });
});
