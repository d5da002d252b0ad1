import { describe, expect, it } from "vitest";
import { parseMessage, resultOf } from "../../src/channel/message.ts";

function read(message: object): unknown {
  const parsed = parseMessage(JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }));
  if (parsed === undefined) throw new Error("Not a message.");
  return resultOf(parsed);
}

describe("resultOf", () => {
  it("gives the result", () => {
    expect(read({ result: { a: 1 } })).toEqual({ a: 1 });
  });

  it.each([
    [-32_600, "refused"],
    [-32_601, "refused"],
    [-32_602, "refused"],
    [-32_700, "refused"],
    [-32_603, "invalid"],
    [-32_000, "invalid"],
    [7, "invalid"],
  ])("takes the error %i for %s", (code, progress) => {
    expect(() => read({ error: { code, message: "Why." } })).toThrow(
      expect.objectContaining({ progress, message: expect.stringMatching(/Why\.$/u) as unknown }),
    );
  });

  it.each([{ result: [1] }, { result: "s" }, { result: null }, { error: "s" }, {}])("does not accept %j", (message) => {
    expect(() => read(message)).toThrow(expect.objectContaining({ progress: "invalid" }));
  });
});
