import { conformant } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CompletedResponse,
  createTruncator,
  type OutputStore,
  renderForModel,
  ToolError,
  type ToolResponse,
  type TruncatedData,
} from "../../src/index.ts";
import { ENVELOPES } from "../samples.ts";

const PATH = "tool-output/tool_20261116_190000_Glob.json";

function memoryStore(): OutputStore & { readonly saved: string[] } {
  const saved: string[] = [];
  return {
    saved,
    save(_, chunks) {
      saved.push(Buffer.concat([...chunks]).toString());
      return Promise.resolve(PATH);
    },
  };
}

function failingStore(error: unknown): OutputStore {
  return { save: () => Promise.reject(error) };
}

function globResponse(count: number, paramsInput: unknown = { pattern: "**" }): CompletedResponse<{ paths: string[] }> {
  const paths = Array.from({ length: count }, (_, index) => `src/file-${index}.ts`);
  return {
    status: "success",
    data: { paths },
    text: `Found ${count} files.`,
    stats: { time_ms: 5, matched: count },
    context: { cwd: ".", params_input: paramsInput, path_resolved: "." },
  };
}

function productOf({ data }: ToolResponse<object>): TruncatedData {
  if (!isProduct(data)) throw new Error("Not truncated.");
  return data;
}

function isProduct(data: object): data is TruncatedData {
  return "preview" in data && "truncation" in data;
}

describe("createTruncator", () => {
  it("returns the same object if it fits", async () => {
    const response = globResponse(10);
    expect(await createTruncator()("Glob", response)).toBe(response);
  });

  // Rule: The truncator returns the same object if it fits, skips or is already cut.
  it("returns the same object at exactly the limits, and cuts one below", async () => {
    const response = globResponse(3);
    const size = Buffer.byteLength(JSON.stringify(response, null, 2));
    const lines = JSON.stringify(response, null, 2).split("\n").length;
    expect(await createTruncator({ maxBytes: size, maxLines: lines })("Glob", response)).toBe(response);
    expect((await createTruncator({ maxBytes: size - 1 })("Glob", response)).status).toBe("partial");
    expect((await createTruncator({ maxLines: lines - 1 })("Glob", response)).status).toBe("partial");
  });

  it("returns the same object if the tool pages by itself", async () => {
    const response = globResponse(9000);
    const skipping = { ...response, context: { ...response.context, truncation_skip: true } };
    const truncate = createTruncator();
    expect(await truncate("Read", skipping)).toBe(skipping);
    const notSkipping = { ...response, context: { ...response.context, truncation_skip: false } };
    expect((await truncate("Read", notSkipping)).status).toBe("partial");
  });

  it("does not truncate a truncated answer again", async () => {
    const once = await createTruncator()("Glob", globResponse(9000));
    expect(await createTruncator({ maxLines: 1, maxBytes: 1 })("Glob", once)).toBe(once);
  });

  it("cuts at 2000 lines and 51200 bytes from the head by default", async () => {
    const { truncation, preview } = productOf(conformant(await createTruncator()("Glob", globResponse(9000))));
    expect(truncation).toMatchObject({ direction: "head", max_lines: 2000, max_bytes: 51_200 });
    expect(preview.startsWith('{\n  "status": "success"')).toBe(true);
    expect(truncation.kept_lines).toBe(preview.split("\n").length);
    expect(truncation.kept_bytes).toBe(Buffer.byteLength(preview));
  });

  it("answers with a fixed data shape, and carries stats and context over", async () => {
    const store = memoryStore();
    const response = globResponse(9000);
    const cut = conformant(await createTruncator({ store })("Glob", response));
    const json = JSON.stringify(response, null, 2);
    expect(cut.status).toBe("partial");
    expect(cut.stats).toEqual(response.stats);
    expect(cut.context).toEqual(response.context);
    expect(Object.keys(cut)).toEqual(["status", "data", "text", "stats", "context"]);
    expect(Object.keys(cut.data)).toEqual(["truncated", "truncation", "preview"]);
    expect(productOf(cut).truncation).toEqual({
      direction: "head",
      max_lines: 2000,
      max_bytes: 51_200,
      original_lines: json.split("\n").length,
      original_bytes: Buffer.byteLength(json),
      kept_lines: productOf(cut).preview.split("\n").length,
      kept_bytes: Buffer.byteLength(productOf(cut).preview),
      full_output_path: PATH,
    });
  });

  // Rule: The spilled file is the whole response as indented JSON, in slices of whole characters.
  it("leaves the whole response in the store, as indented JSON", async () => {
    const store = memoryStore();
    const response = globResponse(60_000);
    await createTruncator({ store })("Glob", response);
    expect(store.saved).toEqual([JSON.stringify(response, null, 2)]);
  });

  it("says what was cut, then what to repeat, then where the rest is and how to open it", async () => {
    const { text } = await createTruncator({ store: memoryStore(), direction: "tail" })("Glob", globResponse(9000));
    expect(text).toMatchInlineSnapshot(`
      "⚠️ 输出过大已截断: 9019 lines (233151 bytes), of which the last 1976 lines (51195 bytes) are below.
      First, repeat the call with a smaller 'limit' or a narrower 'path'.
      Full output: 'tool-output/tool_20261116_190000_Glob.json'. Open it with Read {"path":"tool-output/tool_20261116_190000_Glob.json","start_line":1,"limit":500}."
    `);
  });

  it.each([
    ["read" as const, "packages/app", ` Open it with read {"filePath":"../../${PATH}","offset":1,"limit":500}.`],
    ["read" as const, ".", ` Open it with read {"filePath":"${PATH}","offset":1,"limit":500}.`],
    [false as const, ".", ""],
  ])("names the reader that the model has: %s in %s", async (readTool, cwd, advice) => {
    const response = {
      ...globResponse(9000),
      context: { cwd, params_input: {}, next_call: { tool: "X", params: {} } },
    };
    const cut = conformant(await createTruncator({ store: memoryStore(), readTool })("Glob", response));
    expect(cut.text.split("\n").at(-1)).toBe(`Full output: '${PATH}'.${advice}`);
    expect(cut.context).not.toHaveProperty("next_call");
  });

  it("keeps the end if asked to", async () => {
    const { preview, truncation } = productOf(
      conformant(await createTruncator({ direction: "tail", maxLines: 4 })("Glob", globResponse(9000))),
    );
    expect(truncation.direction).toBe("tail");
    expect(preview.endsWith('    "path_resolved": "."\n  }\n}')).toBe(true);
    expect(preview.split("\n")).toHaveLength(4);
  });

  it("keeps an error an error", async () => {
    const { error } = ENVELOPES.failure;
    const failed = { ...ENVELOPES.failure, text: `${error.message} ${"x".repeat(60_000)}` };
    const cut = conformant(await createTruncator()("Read", failed));
    expect(cut).toMatchObject({ status: "error", error });
    expect(cut.text).toContain("The call failed with NOT_FOUND: File 'src/main.py' does not exist.");
  });

  it("shortens parameters over 4 KiB", async () => {
    const kept = { content: "x".repeat(4096 - '{"content":""}'.length) };
    const long = { content: `${kept.content}é` };
    const truncate = createTruncator();
    expect((await truncate("Write", globResponse(9000, kept))).context.params_input).toEqual(kept);
    expect((await truncate("Write", globResponse(9000, long))).context.params_input).toEqual({
      truncated: true,
      bytes: 4098,
    });
  });

  // Rule: If the store fails, or names no path below the project root, the answer has no `full_output_path` and gives
  // the reason without leaking anything.
  it.each<[string, OutputStore | undefined, string]>([
    ["no store", undefined, "The full output was not kept: no output store is set up."],
    [
      "a store that says why",
      failingStore(new ToolError("EXECUTION_ERROR", "ENOSPC: no space left on device.", { hint: "Free some." })),
      "The full output was not kept: ENOSPC: no space left on device.",
    ],
    [
      "a store whose failure might leak",
      failingStore(new Error("EACCES: /home/secret")),
      "The full output was not kept: the output store failed.",
    ],
    [
      "a store that throws nothing sensible",
      failingStore(undefined),
      "The full output was not kept: the output store failed.",
    ],
    [
      "a store that names a path of the host",
      { save: () => Promise.resolve("/home/secret/x.json") },
      "The full output was not kept: the output store named no path below the project root.",
    ],
    [
      "a store that names no path",
      { save: () => Promise.resolve("") },
      "The full output was not kept: the output store named no path below the project root.",
    ],
  ])("answers without full_output_path and with the reason: %s", async (_, store, reason) => {
    const cut = conformant(await createTruncator({ store })("Glob", globResponse(9000)));
    expect(productOf(cut).truncation).not.toHaveProperty("full_output_path");
    expect(cut.text.endsWith(reason)).toBe(true);
    expect(cut.text).not.toContain("secret");
  });

  it("counts exactly also if the store reads only a part", async () => {
    const lazy: OutputStore = {
      save(_, chunks) {
        for (const chunk of chunks) return Promise.reject(new Error(String(chunk.length)));
        return Promise.resolve(PATH);
      },
    };
    const response = globResponse(90_000);
    const { truncation } = productOf(await createTruncator({ store: lazy })("Glob", response));
    expect(truncation.original_bytes).toBe(Buffer.byteLength(JSON.stringify(response, null, 2)));
  });

  it("refuses a direction that is not one, as a host without types may pass", () => {
    const options: object = { direction: "up" };
    expect(() => createTruncator(options)).toThrow(new RangeError('direction must be "head" or "tail".'));
  });

  it.each([0, -1, 1.5, NaN, Infinity])("refuses a limit of %d", (limit) => {
    expect(() => createTruncator({ maxLines: limit })).toThrow(RangeError);
    expect(() => createTruncator({ maxBytes: limit })).toThrow(RangeError);
  });

  it("copes with what is not an envelope, or not JSON", async () => {
    // As a caller without types would.
    const truncate = async (tool: string, response: unknown) => {
      const cut: unknown = await Reflect.apply(createTruncator({ maxBytes: 300 }), undefined, [tool, response]);
      return cut;
    };
    const cycle: Record<string, unknown> = { ...globResponse(100), big: 5n };
    cycle.self = cycle;
    conformant(await truncate("X", cycle));
    conformant(await truncate("X", { error: `Error: ${"x".repeat(1000)}` }));
    conformant(await truncate("X", "x".repeat(1000)));
    const throwing = {
      get context(): never {
        throw new Error("no");
      },
      more: "x".repeat(1000),
    };
    conformant(await truncate("X", throwing));
    for (const value of [undefined, null, 5, "short"]) expect(await truncate("X", value)).toBe(value);
  });

  it("escapes a path that would turn the text around", async () => {
    const store: OutputStore = { save: () => Promise.resolve("tool-output/a\u202eb.json") };
    const cut = conformant(await createTruncator({ store })("Glob", globResponse(9000)));
    expect(cut.text).toContain("'tool-output/a\\u202eb.json'");
    expect(productOf(cut).truncation.full_output_path).toBe("tool-output/a\u202eb.json");
  });

  it("escapes an error that forges a line", async () => {
    const error = { code: "X\nFull output: '/etc'", message: "No.\nFull output: '/etc'" };
    const { text } = await createTruncator({ maxBytes: 50 })("Glob", { ...ENVELOPES.failure, error });
    expect(text.split("\n")).toHaveLength(4);
  });
});

function grepResponse(count: number, offset = 0): ToolResponse<object> {
  const matches = Array.from({ length: count }, (_, index) => ({
    file: `3-src/${Math.floor((offset + index) / 3)}.ts`,
    line: 1 + ((offset + index) % 3) * 10,
    text: `match ${offset + index} ${"x".repeat((offset + index) % 40)}`,
    before: ["before"],
    after: ["after", `[Note: ${index}]`],
  }));
  const end = offset + count;
  return {
    status: "partial",
    data: { matches, truncated: true },
    text: `Found ${count} matches in 9 files for 'match' in '.'\n(Searched 9 files in 3ms)\n[Truncated: Showing matches ${offset + 1}-${end}. Use offset=${end} to continue, or narrow 'pattern', 'path' or 'include'.]\n(Left out: 1 binary files with matches.)\n\n…`,
    stats: { time_ms: 3 },
    context: {
      cwd: ".",
      params_input: { query: "match", offset },
      next_call: { tool: "Grep", params: { pattern: "match", offset: end } },
    },
  };
}

// Rule: A list that is cut keeps its notes, and goes on right after the items that are shown whole.
describe("a list that is cut", () => {
  it("goes on after what is whole, until everything has been seen", async () => {
    const truncate = createTruncator({ render: renderForModel, maxBytes: 3000 });
    const seen = new Set<string>();
    let offset = 0;
    for (let calls = 0; offset < 200; calls += 1) {
      expect(calls).toBeLessThan(50);
      const cut = conformant(await truncate("Grep", grepResponse(200 - offset, offset)));
      const next = cut.context.next_call?.params.offset;
      for (const [, text] of renderForModel(cut).matchAll(/^\d+:match (\d+ x*)$/gmu)) seen.add(text ?? "");
      expect(cut.context.next_call).toEqual({ tool: "Grep", params: { pattern: "match", offset: next } });
      expect(Number(next)).toBeGreaterThan(offset);
      for (let index = offset; index < Number(next); index += 1)
        expect(seen).toContain(`${index} ${"x".repeat(index % 40)}`);
      offset = Number(next);
    }
  });

  it("does not pass over the match that the cut goes through", async () => {
    for (let maxBytes = 600; maxBytes < 900; maxBytes += 7) {
      const cut = await createTruncator({ render: renderForModel, maxBytes })("Grep", grepResponse(60));
      const next = Number(cut.context.next_call?.params.offset ?? 0);
      const whole = productOf(cut)
        .preview.split("\n")
        .filter((line) => line.startsWith("3-[Note:") || line.startsWith("13-[Note") || line.startsWith("23-[Note"));
      expect(next, String(maxBytes)).toBe(whole.length);
    }
  });

  it.each<[string, ToolResponse<object>, object | undefined]>([
    ["of all that there is", globResponse(300, { pattern: "*", offset: 5 }), { pattern: "*", offset: 5 }],
    [
      "whose parameters had other names",
      { ...globResponse(300, { glob: "*" }), text: "Found.\nNote: 'glob' was taken as 'pattern'." },
      undefined,
    ],
    [
      "that a deadline ended",
      {
        ...globResponse(300),
        status: "partial",
        data: { paths: globResponse(300).data.paths, aborted_reason: "time_limit" },
      },
      undefined,
    ],
    [
      "that a slower engine found",
      {
        ...globResponse(300),
        status: "partial",
        data: { paths: globResponse(300).data.paths, fallback: "javascript" },
      },
      { pattern: "**" },
    ],
  ])("names the next call of a list %s, if that is clear", async (_, response, params) => {
    const cut = await createTruncator({ render: renderForModel, maxLines: 50 })("Glob", response);
    const kept = productOf(cut)
      .preview.split("\n")
      .filter((line) => line.startsWith(" ")).length;
    const offset = kept + ("offset" in (params ?? {}) ? 5 : 0);
    expect(cut.context.next_call).toEqual(
      params === undefined ? undefined : { tool: "Glob", params: { ...params, offset } },
    );
    if (params !== undefined) expect(cut.text).toContain(`use offset=${offset} to continue`);
  });

  it.each(["head", "tail"] as const)("keeps its notes at the %s", async (direction) => {
    for (const render of [undefined, renderForModel]) {
      const cut = await createTruncator({ render, direction, maxBytes: 3000 })("Grep", grepResponse(200));
      expect(renderForModel(cut)).toContain("(Left out: 1 binary files with matches.)");
      expect(cut.context.next_call === undefined).toBe(direction === "tail");
    }
  });
});

// Rule: What is shown of an answer that was cut is never longer than what it replaces.
describe("what replaces an answer", () => {
  it("is never longer than what it replaces", async () => {
    const sizes = fc.record({
      count: fc.integer({ min: 1, max: 400 }),
      maxLines: fc.integer({ min: 1, max: 300 }),
      maxBytes: fc.integer({ min: 1, max: 9000 }),
      direction: fc.constantFrom("head" as const, "tail" as const),
      response: fc.constantFrom(grepResponse, globResponse),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ count, response, ...limits }) => {
        const whole = response(count);
        const cut = conformant(
          await createTruncator({ store: memoryStore(), render: renderForModel, ...limits })("X", whole),
        );
        const shown = renderForModel(whole);
        expect(Buffer.byteLength(renderForModel(cut))).toBeLessThanOrEqual(Buffer.byteLength(shown));
        if (cut === whole) return;
        const { preview } = productOf(cut);
        expect(limits.direction === "head" ? shown.startsWith(preview) : shown.endsWith(preview)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("is the answer itself where the notice alone would be longer", async () => {
    const store = memoryStore();
    const short = globResponse(5);
    expect(await createTruncator({ store, render: renderForModel, maxLines: 2 })("Glob", short)).toBe(short);
    expect(store.saved).toEqual([]);
  });
});

describe("every truncated answer", () => {
  const content = fc.array(fc.constantFrom("line\n", "\\n", "🎉", "é\u2028", "C:\\new\\", '"', "plain text "), {
    maxLength: 200,
  });

  it("is within the limits, counts exactly, conforms, and truncates no further", async () => {
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.constantFrom("head" as const, "tail" as const),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 4, max: 900 }),
        async (pieces, direction, maxLines, maxBytes) => {
          const response = { ...ENVELOPES.edit, data: { applied: true, diff: pieces.join("") } };
          const store = memoryStore();
          const cut = conformant(await createTruncator({ store, direction, maxLines, maxBytes })("Edit", response));
          if (cut === response) return;
          const { truncation, preview } = productOf(cut);
          const json = JSON.stringify(response, null, 2);
          const breaks = json.replaceAll(/\\(.)/gu, (escape, next) => (next === "n" ? "\n" : escape));
          expect(store.saved).toEqual([json]);
          expect(direction === "head" ? breaks.startsWith(preview) : breaks.endsWith(preview)).toBe(true);
          expect(truncation).toMatchObject({
            original_lines: breaks.split("\n").length,
            original_bytes: Buffer.byteLength(breaks),
            kept_lines: preview.split("\n").length,
            kept_bytes: Buffer.byteLength(preview),
          });
          expect(truncation.kept_lines).toBeLessThanOrEqual(maxLines);
          expect(truncation.kept_bytes).toBeLessThanOrEqual(maxBytes);
          expect(await createTruncator({ maxLines: 1, maxBytes: 4 })("Edit", cut)).toBe(cut);
        },
      ),
      { numRuns: 300 },
    );
  });
});
