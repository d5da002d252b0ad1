import { createSandbox } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import type { Query } from "../src/engine/query.ts";
import { createJavascriptEngine } from "../src/engine/javascript.ts";
import { openText } from "../src/text/search-text.ts";

const QUERY: Query = {
  pattern: "",
  isCaseSensitive: true,
  isMultiline: false,
  isWhole: false,
  isFirstEnough: false,
};
const SINK = { add: () => Promise.resolve(true), end: () => undefined };

describe("the engine in JavaScript", () => {
  // Rule: Without ripgrep too, an abort or a time limit is heeded after a piece of the text that takes milliseconds.
  it.each([
    [{ pattern: String.raw`(\p{L}{1,1000})+\d` }],
    [{ pattern: "([a-z]+[0-9]?){1,600}q" }],
    [{ pattern: "(.{0,1000}a){1}b" }],
    [{ pattern: String.raw`(\p{L}{1,1000})+\d`, isWhole: true, isMultiline: true }],
  ])("looks at little more of a text once it was aborted, with %j", async (query) => {
    const { root } = fixture({ a: "xyxyyxyx".repeat(100_000) });
    const sandbox = createSandbox({ projectRoot: root });
    const text = openText(sandbox, await sandbox.resolve("a"), { unifyLineEnds: true });
    let furthest = 0;
    const watched = {
      ...text,
      slice: (from: number, to: number) => {
        // What looks for the end of a line is no work.
        if (to - from !== 64 * 1024) furthest = Math.max(furthest, to === Infinity ? 0 : to);
        return text.slice(from, to);
      },
    };
    const { signal } = new AbortController();
    const aborted = AbortSignal.any([signal, AbortSignal.abort("enough")]);
    const search = createJavascriptEngine({ ...QUERY, ...query }, aborted).search([watched], SINK);
    await expect(search).rejects.toBe("enough");
    text.close();
    expect(furthest).toBeLessThan(400_000);
  });

  it.each([
    "a{1000}b{1000}c{1000}d{1000}e{1000}f{1000}",
    String.raw`(?:\w{30}x){30}`.repeat(6),
    // Compiling such a one would take half a second.
    String.raw`\w`.repeat(1000),
  ])("refuses %s, as ripgrep does what is too large", async (pattern) => {
    const search = createJavascriptEngine({ ...QUERY, pattern }, new AbortController().signal).search([], SINK);
    await expect(search).rejects.toMatchObject({
      code: "INVALID_PARAM",
      message: "Invalid regex pattern: compiled regex exceeds size limit",
    });
  });

  it.each([false, true])(
    "looks at a few hundred bytes at once for the largest patterns (multiline: %j)",
    async (isWhole) => {
      const { root } = fixture({ a: "xy".repeat(5000) });
      const sandbox = createSandbox({ projectRoot: root });
      const text = openText(sandbox, await sandbox.resolve("a"), { unifyLineEnds: true });
      let widest = 0;
      const watched = {
        ...text,
        slice: (from: number, to: number) => {
          const bytes = text.slice(from, to);
          if (to - from !== 1024 && to - from !== 64 * 1024) widest = Math.max(widest, bytes.length);
          return bytes;
        },
      };
      const query = { ...QUERY, pattern: String.raw`(?:\w{30}-){30}`.repeat(5), isWhole, isMultiline: isWhole };
      await createJavascriptEngine(query, new AbortController().signal).search([watched], SINK);
      text.close();
      expect(widest).toBeLessThan(400);
    },
  );

  it.each([
    // Windows end in the middle of what matches, and of what only seems to.
    ["[a-z]+$", `${"ab,".repeat(60_000)}cd`, 180_000],
    [String.raw`b\b`, `${"ab".repeat(100_000)}b,`, 200_000],
  ])("finds %s in a long line", async (pattern, content, start) => {
    const { root } = fixture({ a: content });
    const sandbox = createSandbox({ projectRoot: root });
    const text = openText(sandbox, await sandbox.resolve("a"), { unifyLineEnds: true });
    const starts: number[] = [];
    const sink = {
      ...SINK,
      add: (_: unknown, hits: readonly { readonly start: number }[]) => {
        for (const hit of hits) starts.push(hit.start);
        return Promise.resolve(true);
      },
    };
    await createJavascriptEngine({ ...QUERY, pattern }, new AbortController().signal).search([text], sink);
    text.close();
    expect(starts).toEqual([start]);
  });
});
