// @ts-check
import { setImmediate } from "node:timers";

// What a server that was taken over answers to a call.
const nested = (/** @type {number} */ depth) => "[".repeat(depth) + "]".repeat(depth);

/** One answer. @type {Record<string, (id: number) => string>} */
export const ONCE = {
  nested: (id) => `{"jsonrpc":"2.0","id":${id},"result":{"x":${nested(500_000)}}}`,
  wide: (id) => `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":[${"0,".repeat(300_000)}0]}}`,
  malformed: (id) => `{"jsonrpc":"2.0","id":${id},"result":[1]}`,
};

/** One piece after the other, for ever. @type {Record<string, (turn: number) => string>} */
export const ENDLESS = {
  pings: () => `{"jsonrpc":"2.0","id":1,"method":"ping"}\n`.repeat(1000),
  questions: () => `{"jsonrpc":"2.0","id":"${"q".repeat(60_000)}","method":"roots/list"}\n`,
  strangers: (turn) => `{"jsonrpc":"2.0","id":${turn + 1e6},"result":{"x":"${"x".repeat(60_000)}"}}\n`,
  line: () => "x".repeat(1024),
  garbage: () => `${"{[\u0000".repeat(20_000)}\n`,
};

/** What it does in the end. */
export const BEHAVIOURS = [...Object.keys(ENDLESS), ...Object.keys(ONCE), "silence", "exit"];

/** What it says before anything else. @param {{ method: string, params?: { protocolVersion?: string } }} request */
export function hello({ method, params }) {
  const serverInfo = { name: "x", version: "1" };
  if (method === "initialize") return { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo };
  return method === "tools/list" ? { tools: [{ name: "LS" }, { name: "Write" }] } : undefined;
}

// Writes without end, as fast as it is read; a piece that is not there ends it.
/** @param {NodeJS.WritableStream} output @param {(turn: number) => string | undefined} piece */
export function writeEndlessly(output, piece) {
  let turn = 0;
  const go = () => {
    const text = piece(++turn);
    if (text === undefined) return;
    if (output.write(text)) setImmediate(go);
    else output.once("drain", go);
  };
  go();
}
