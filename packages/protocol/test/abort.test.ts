import { afterEach, describe, expect, it, vi } from "vitest";
import { abortedError, isConsequenceOfAbort, untilAborted } from "../src/tool.ts";
import { ToolError } from "../src/index.ts";

describe("abortedError", () => {
  it.each<[string, unknown, string]>([
    ["no reason", undefined, "EXECUTION_ERROR"],
    ["a string", "enough", "EXECUTION_ERROR"],
    ["null", null, "EXECUTION_ERROR"],
    ["an abort", new DOMException("stop", "AbortError"), "EXECUTION_ERROR"],
    ["a timeout of another realm", { name: "TimeoutError" }, "TIMEOUT"],
    ["a timeout", new DOMException("late", "TimeoutError"), "TIMEOUT"],
  ])("is one sentence, its code by the reason: %s", (_, reason, code) => {
    expect(abortedError(AbortSignal.abort(reason))).toMatchObject({ code, message: "Aborted by the caller." });
  });
});

describe("isConsequenceOfAbort", () => {
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);

  it("takes the reason itself, AbortErrors and worded failures", () => {
    expect(isConsequenceOfAbort(reason, signal)).toBe(true);
    expect(isConsequenceOfAbort(new DOMException("x", "AbortError"), signal)).toBe(true);
    expect(isConsequenceOfAbort(new ToolError("NOT_FOUND", "Gone.", { hint: "Look." }), signal)).toBe(true);
  });

  it("does not mistake a bug for one, nor anything before the abort", () => {
    expect(isConsequenceOfAbort(new TypeError("bug"), signal)).toBe(false);
    expect(isConsequenceOfAbort(reason, new AbortController().signal)).toBe(false);
  });
});

describe("untilAborted", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("settles as the work does", async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(() => Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(() => Promise.reject(new Error("x")), signal)).rejects.toThrow("x");
  });

  it("gives the work a grace period to answer on its own", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const work = () => new Promise((resolve) => setTimeout(resolve, 249, "what I have"));
    const waiting = untilAborted(work, controller.signal);
    controller.abort();
    await vi.advanceTimersByTimeAsync(249);
    await expect(waiting).resolves.toBe("what I have");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not wait longer than the grace period", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const answer = untilAborted(() => new Promise(() => undefined), controller.signal).catch((error: unknown) => error);
    controller.abort();
    await vi.advanceTimersByTimeAsync(250);
    expect(await answer).toMatchObject({ name: "AbortError" });
  });

  it("keeps nothing of a call that is over", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    await untilAborted((own) => Promise.resolve((seen = own)), controller.signal);
    controller.abort("enough");
    expect(seen).toMatchObject({ aborted: true, reason: "enough" });
    expect(vi.getTimerCount()).toBe(0);
  });
});
