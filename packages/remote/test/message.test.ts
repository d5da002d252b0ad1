import { describe, expect, it } from "vitest";
import { MALFORMED, readMessage } from "../src/message.ts";

describe("readMessage", () => {
  it.each([
    ["a result", { jsonrpc: "2.0", id: 1, result: { a: 1 } }],
    ["an error", { jsonrpc: "2.0", id: 1, error: { code: -32_600, message: "Why." } }],
    ["a question", { jsonrpc: "2.0", id: "q", method: "ping" }],
  ])("takes %s", (_case, message) => {
    expect(readMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each([{ result: [1] }, { result: "s" }, { result: null }, { error: "s" }, {}, { jsonrpc: "1.0", result: {} }])(
    "makes an error of %j, since someone waits for it",
    (answer) => {
      const text = JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer });
      expect(readMessage(text)).toMatchObject({ id: 1, error: { code: MALFORMED } });
    },
  );

  it("makes an error of an answer that is too deep to look at", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(readMessage(`{"jsonrpc":"2.0","id":1,"result":{"x":${deep}}}`)).toMatchObject({ id: 1 });
  });

  it.each(["", "Welcome!", "{", "7", "null", '{"id":"x"}', '{"method":7}'])("knows no message in %j", (text) => {
    expect(readMessage(text)).toBeUndefined();
  });
});
