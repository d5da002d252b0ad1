// A server over stdio that says what the script in its first argument says: { initialize, list, tools, result, error, then, note }.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const script = JSON.parse(process.argv[2] ?? "{}");
// What is too long for a command line is made here.
if (script.depth)
  script.result.structuredContent.data.x = JSON.parse("[".repeat(script.depth) + "]".repeat(script.depth));
if (script.values) script.result.structuredContent.data.x = Array(script.values).fill(0);
if (script.note) writeFileSync(script.note, String(process.pid));
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

process.stdout.write("Welcome to this machine!\n");
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const agreed = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "scripted", version: "1" },
    };
    say({ id, result: "initialize" in script ? script.initialize : agreed });
    // Requests of a server's own need an answer too.
    say({ id: "server-1", method: "ping" });
    say({ id: "server-2", method: "roots/list" });
  } else if (method === "tools/list") {
    say({ id, result: script.list ?? { tools: script.tools ?? [{ name: "LS", outputSchema: {} }] } });
  } else if (method === "notifications/cancelled") {
    process.stderr.write(`cancelled ${params.requestId}\n`);
  } else if (method === "tools/call") {
    if (script.then === "exit") process.exit(3);
    if (script.then === "flood") process.stdout.write("x".repeat(25 * 1024 * 1024));
    else if (script.then === "garbage") process.stdout.write("{nonsense\n");
    else if (script.then === "error") say({ id, error: script.error });
    else if (script.then !== "silence") say({ id, result: script.result });
  }
}
