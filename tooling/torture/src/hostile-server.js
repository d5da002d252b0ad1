// @ts-check
// An MCP server over stdio that was taken over: says hello, and then does what its argument names.
import { setImmediate } from "node:timers";

const behaviour = process.argv[2] ?? "";
/** @param {object} message */
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const nested = (/** @type {number} */ depth) => "[".repeat(depth) + "]".repeat(depth);

/** @type {Record<string, (id: number) => void>} */
const BEHAVIOURS = {
  pings: () => endless(() => `{"jsonrpc":"2.0","id":1,"method":"ping"}\n`.repeat(1000)),
  questions: () => endless(() => `{"jsonrpc":"2.0","id":"${"q".repeat(60_000)}","method":"roots/list"}\n`),
  strangers: () => endless((turn) => `{"jsonrpc":"2.0","id":${turn + 1e6},"result":{"x":"${"x".repeat(60_000)}"}}\n`),
  line: () => endless(() => "x".repeat(1024)),
  garbage: () => endless(() => `${"{[\u0000".repeat(20_000)}\n`),
  nested: (id) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"x":${nested(500_000)}}}\n`),
  wide: (id) => say({ id, result: { structuredContent: Object.fromEntries(Array(300_000).entries()) } }),
  malformed: (id) => say({ id, result: [1] }),
  silence: () => undefined,
  exit: () => process.exit(3),
};

/** @param {(turn: number) => string} piece */
function endless(piece) {
  process.stdin.pause();
  const end = Date.now() + 3000;
  let turn = 0;
  const go = () => {
    if (Date.now() > end) process.exit(0);
    turn += 1;
    if (process.stdout.write(piece(turn))) setImmediate(go);
    else process.stdout.once("drain", go);
  };
  go();
}

let read = "";
process.stdin.on("data", (chunk) => {
  const lines = `${read}${chunk.toString()}`.split("\n");
  read = lines.pop() ?? "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    const hello = {
      protocolVersion: params?.protocolVersion,
      capabilities: {},
      serverInfo: { name: "x", version: "1" },
    };
    if (method === "initialize") say({ id, result: hello });
    else if (method === "tools/list") say({ id, result: { tools: [{ name: "LS" }, { name: "Write" }] } });
    else if (method === "tools/call") BEHAVIOURS[behaviour]?.(id);
  }
});
