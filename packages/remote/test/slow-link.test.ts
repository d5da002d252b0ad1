import { conformant, fixture, listenOnLoopback } from "@fstools/testing";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectToolset } from "../src/connect.ts";
import { listeningServer } from "./server.ts";

const DELAY_MS = 40;

/** A link to a port that takes its time, and counts how often what is sent turns round. */
async function slowLink(port: number) {
  const turns = { count: 0 };
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    let last = "answer";
    carry(near, far, () => {
      if (last === "answer") turns.count += 1;
      last = "question";
    });
    carry(far, near, () => {
      last = "answer";
    });
  });
  return { port: await listenOnLoopback(server), turns };
}

function carry(from: Socket, to: Socket, onData: () => void): void {
  from.on("data", (chunk) => {
    onData();
    setTimeout(() => to.write(chunk), DELAY_MS);
  });
  from.on("close", () => setTimeout(() => to.destroy(), DELAY_MS));
  from.on("error", () => to.destroy());
}

describe("over a slow link", () => {
  it("a call is one round trip", { timeout: 30_000 }, async () => {
    const { root } = fixture({ "a.txt": "one\n".repeat(5000) });
    const { url, token } = await listeningServer("--root", root);
    const link = await slowLink(Number(new URL(url).port));
    const remote = await connectToolset({ url: url.replace(/:\d+\//u, `:${link.port}/`), token });
    onTestFinished(() => remote.close());
    const calls = 5;
    const before = link.turns.count;
    for (let call = 0; call < calls; call += 1) {
      const read = remote.tools.find(({ name }) => name === "Read");
      conformant(await read?.run({ path: "a.txt", start_line: 1 + call * 500 }));
    }
    expect(link.turns.count - before).toBe(calls);
  });
});
