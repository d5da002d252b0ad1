// @ts-check
// An MCP server over stdio that was taken over: says hello, and then does what its argument names.
import { createInterface } from "node:readline";
import { ENDLESS, hello, ONCE, writeEndlessly } from "./hostile-answers.js";

const behaviour = process.argv[2] ?? "";

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  const result = hello(request);
  const piece = ENDLESS[behaviour];
  const end = Date.now() + 3000;
  if (result !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id: request.id, result }));
  else if (request.method !== "tools/call") return;
  else if (behaviour === "exit") process.exit(3);
  else if (piece !== undefined) {
    process.stdin.pause();
    writeEndlessly(process.stdout, (turn) => (Date.now() > end ? process.exit(0) : piece(turn)));
  } else if (behaviour in ONCE) console.log(ONCE[behaviour]?.(request.id));
});
