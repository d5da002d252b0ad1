import { afterEach, describe, expect, it, vi } from "vitest";
import { abortedError, isConsequenceOfAbort, orAborted, ToolError } from "../src/index.ts";

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

describe("orAborted", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("settles as the promise does", async () => {
    for (const signal of [undefined, new AbortController().signal]) {
      await expect(orAborted(Promise.resolve(1), signal)).resolves.toBe(1);
      await expect(orAborted(Promise.reject(new Error("x")), signal)).rejects.toThrow("x");
    }
  });

  it("rejects at once with the reason, also if the abort came before", async () => {
    await expect(orAborted(Promise.resolve(1), AbortSignal.abort("enough"))).rejects.toBe("enough");
    const controller = new AbortController();
    const waiting = orAborted(new Promise(() => undefined), controller.signal);
    controller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
  });

  it("gives a grace period to answer, if asked to", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const work = new Promise((resolve) => setTimeout(resolve, 249, "what I have"));
    const waiting = orAborted(work, controller.signal, 250);
    controller.abort();
    await vi.advanceTimersByTimeAsync(249);
    await expect(waiting).resolves.toBe("what I have");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not wait longer than the grace period", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const answer = orAborted(new Promise(() => undefined), controller.signal, 250).catch((error: unknown) => error);
    controller.abort();
    await vi.advanceTimersByTimeAsync(250);
    expect(await answer).toMatchObject({ name: "AbortError" });
  });

  it("keeps nothing of a call that is over", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    await orAborted(Promise.resolve(), controller.signal, 250);
    controller.abort();
    expect(vi.getTimerCount()).toBe(0);
  });
});
