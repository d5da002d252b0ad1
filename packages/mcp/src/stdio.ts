import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { EventEmitter, once } from "node:events";
import { Readable, type Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer } from "./server.ts";
import { MAX_MESSAGE_BYTES, type Service } from "./service.ts";

/** No more is read from a client while so many of its calls are under way. */
const MAX_CALLS = 256;

/** How long a client that has closed its end still gets answers: no tool takes longer. */
const LAST_ANSWERS_MS = 15_000;

const NEWLINE = 0x0a;

export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly onError: (error: Error) => void;
}

/** Serves one client over a pair of streams until it leaves; a message that is too large ends the connection. */
export function serveStreams(service: Service, { input, output, onError }: ClientStreams): void {
  const conversation = service.openConversation();
  const changes = new EventEmitter();
  let calls = 0;
  const call: typeof conversation.call = async (...request) => {
    calls += 1;
    try {
      return await conversation.call(...request);
    } finally {
      calls -= 1;
      changes.emit("change");
      // Answers of one turn of the event loop are written together: a system call for each would cost more than the work.
      output.cork();
      setImmediate(() => {
        output.uncork();
      });
    }
  };
  const waitForClient = async (): Promise<void> => {
    while (calls >= MAX_CALLS || output.writableNeedDrain) await once(changes, "change");
  };
  const waitForAnswers = async (): Promise<void> => {
    const end = performance.now() + LAST_ANSWERS_MS;
    // A call begins a moment after its line was read, and its answer is written a moment after it ended.
    do await sleep(50);
    while (calls > 0 && performance.now() < end);
  };
  // Each answer that waits for the client adds a listener.
  output.setMaxListeners(0);
  output.on("drain", () => changes.emit("change"));
  // A client that no longer reads is gone, even if its end of the input stays open.
  output.on("error", () => input.destroy());
  const lines = Readable.from(readLines(input, waitForClient, waitForAnswers));
  // The transport reports it, unless the client is gone already.
  lines.on("error", () => undefined);
  const transport = new StdioServerTransport(lines, output, { maxBufferSize: 2 * MAX_MESSAGE_BYTES });
  serveStdio(() => createServer(service, () => ({ call })), { transport, onerror: onError });
}

/** Yields whole lines, as the SDK searches and copies an unfinished one again for each piece that arrives. */
async function* readLines(
  input: AsyncIterable<Buffer>,
  waitForClient: () => Promise<void>,
  waitForAnswers: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE) + 1; end > 0; end = chunk.indexOf(NEWLINE, start) + 1) {
      await waitForClient();
      const line = Buffer.concat([...held, chunk.subarray(start, end)]);
      // While the line is read, its pieces need not be held as well.
      [held, bytes, start] = [[], 0, end];
      yield line;
    }
    held.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MAX_MESSAGE_BYTES) throw new Error(`A message is larger than ${MAX_MESSAGE_BYTES} bytes.`);
  }
  await waitForAnswers();
}
