import { conformant } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkResponse, fromLegacy } from "../src/index.ts";
import { ENVELOPES } from "./samples.ts";

describe("fromLegacy", () => {
  // Rule: `fromLegacy` turns a top-level error string or an exception into an error, and anything into an envelope.
  it("turns a top-level error string into an error", () => {
    expect(conformant(fromLegacy({ error: "Error: boom" }))).toEqual({
      status: "error",
      data: {},
      text: "boom. Check the parameters and repeat the call, or try another tool.",
      error: { code: "INTERNAL_ERROR", message: "boom" },
      stats: { time_ms: 0 },
      context: { cwd: ".", params_input: {} },
    });
  });

  it.each(Object.entries(ENVELOPES))("returns an envelope as it is: %s", (_, envelope) => {
    expect(fromLegacy(envelope)).toBe(envelope);
  });

  it("drops the error: null of older answers", () => {
    const { error, ...rest } = conformant(fromLegacy({ ...ENVELOPES.ls, error: null }));
    expect(error).toBeUndefined();
    expect(rest).toEqual(ENVELOPES.ls);
  });

  it("keeps a code and a message, a time, a directory, parameters", () => {
    const legacy = {
      error: { code: "NOT_FOUND", message: "No such file." },
      text: "No such file. Try LS.",
      stats: { time_ms: 3.6, tries: 2, odd: {} },
      context: { cwd: "src", params_input: { path: "x" }, session: 7, path_resolved: 5 },
      data: { left: "over" },
    };
    expect(conformant(fromLegacy(legacy))).toEqual({
      status: "error",
      data: {},
      text: "No such file. Try LS.",
      error: { code: "NOT_FOUND", message: "No such file." },
      stats: { time_ms: 4, tries: 2 },
      context: { cwd: "src", params_input: { path: "x" }, session: 7 },
    });
  });

  it.each<[string, unknown, object]>([
    ["a status without an error", { status: "error" }, { status: "error", error: { message: "Unknown error." } }],
    ["an error with a text of its own", { error: "boom", text: "It broke." }, { text: "boom\nIt broke." }],
    [
      "an error told twice",
      { error: "Error: boom", text: "Error: boom" },
      { text: "boom. Check the parameters and repeat the call, or try another tool." },
    ],
    ["a bare error string", "Error: boom", { status: "error", error: { message: "boom" } }],
    ["an exception", new Error("boom"), { status: "error", data: {}, error: { message: "boom" } }],
    ["an exception of a kind", new TypeError("boom"), { status: "error", error: { message: "TypeError: boom" } }],
    ["an exception without words", new Error(), { status: "error", error: { message: "Error" } }],
    ["an exception as error", { error: new Error("boom") }, { status: "error", error: { message: "boom" } }],
    ["error: true", { error: true, text: "It broke." }, { status: "error", error: { message: "Unknown error." } }],
    ["a list as error", { error: ["a"] }, { status: "error", error: { message: "Unknown error." } }],
    ["error: false", { error: false, text: "All well." }, { status: "success", text: "All well." }],
    ["a bare string", "All well.", { status: "success", text: "All well.", data: {} }],
    ["a bare list", ["a"], { status: "success", data: { value: ["a"] } }],
    ["null", null, { status: "success", data: {} }],
    ["stray top-level fields", { entries: [], data: { x: 1 } }, { status: "success", data: { entries: [], x: 1 } }],
    ["a stray field that data has too", { x: 1, data: { x: 2 } }, { data: { x: 2 } }],
    ["a truncated success", { ...ENVELOPES.ls, status: "success" }, { status: "partial" }],
    [
      "an absolute cwd",
      { context: { cwd: "/home/me", path_resolved: "/x" } },
      { context: { cwd: ".", params_input: {} } },
    ],
    ["a time before its time", { stats: { time_ms: -3 } }, { stats: { time_ms: 0 } }],
    ["a read that pages by itself", { context: { truncation_skip: true } }, { context: { truncation_skip: true } }],
    ["a success in a lesser encoding", { ...ENVELOPES.readReplaced, status: "success" }, { status: "partial" }],
    ["a dry run", { data: { applied: false }, text: "Dry run." }, { status: "partial" }],
    ["a partial answer", { status: "partial", text: "(some skipped)" }, { status: "partial" }],
  ])("makes an envelope of %s", (_, value, expected) => {
    expect(conformant(fromLegacy(value))).toMatchObject(expected);
  });

  it("makes an envelope of anything, and never throws", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
        const errors = checkResponse(fromLegacy(value)).filter(({ severity }) => severity === "error");
        expect(errors).toEqual([]);
      }),
    );
  });

  it("takes over no next step that it cannot vouch for", () => {
    const context = { cwd: ".", params_input: {}, next_call: "LS", suggestions: 5, more: 1 };
    const response = conformant(fromLegacy({ text: "Done.", context }));
    expect(response.context).toEqual({ cwd: ".", params_input: {}, more: 1 });
  });
});
