import { conformant } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineTool, describeTool, type ErrorCode, ToolError, type ToolCall } from "../src/index.ts";
import { found, sampleTool } from "./samples.ts";

const GOOD = { pattern: "x" };
const cut = { label: "Truncated", reason: "Showing first 1.", next: "Raise 'limit'." } as const;
const stopped = { label: "Partial", reason: "Search was aborted.", next: "Repeat it.", stoppedEarly: true } as const;

describe("defineTool", () => {
  // Rule: Top-level keys are `status, data, text, stats, context`, and `error` only on an error.
  it("answers with exactly the envelope's keys, error only on an error", async () => {
    const good = conformant(await sampleTool().run(GOOD), "glob");
    const bad = conformant(await sampleTool().run({}), "glob");
    expect(Object.keys(good)).toEqual(["status", "data", "text", "stats", "context"]);
    expect(Object.keys(bad)).toEqual(["status", "data", "text", "error", "stats", "context"]);
    expect(bad.data).toEqual({});
  });

  // Rule: Status is derived from discounts; any discount makes the answer partial.
  it("derives the status from the discounts", async () => {
    const none = await sampleTool(async () => ({ ...(await found()), discounts: [] })).run(GOOD);
    const one = await sampleTool(async () => ({ ...(await found()), discounts: [cut] })).run(GOOD);
    expect(conformant(none).status).toBe("success");
    expect(conformant(one).status).toBe("partial");
    expect(one.text).toBe("Found 1 file.\n[Truncated: Showing first 1. Raise 'limit'.]");
  });

  it("treats a partial answer without a reason or a next step as a bug", async () => {
    const onInternalError = vi.fn();
    const tool = sampleTool(async () => ({ ...(await found()), discounts: [{ ...cut, next: "" }] }), {
      onInternalError,
    });
    expect(conformant(await tool.run(GOOD)).error?.code).toBe("INTERNAL_ERROR");
    expect(onInternalError).toHaveBeenCalledOnce();
  });

  it("gives the summary the same time as stats.time_ms", async () => {
    const tool = sampleTool(async () => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      return { data: { paths: [] }, summary: (elapsedMs) => [`(Took ${elapsedMs}ms)`], stats: { visited: 3 } };
    });
    const { text, stats } = conformant(await tool.run(GOOD));
    expect(Number.isInteger(stats.time_ms)).toBe(true);
    expect(stats.time_ms).toBeGreaterThanOrEqual(10);
    expect(text).toBe(`(Took ${stats.time_ms}ms)`);
    expect(stats.visited).toBe(3);
  });

  // Rule: An error's `text` begins with `error.message` and adds a next step.
  it("begins an error's text with its sentence and adds the hint", async () => {
    const tool = sampleTool(() => {
      throw new ToolError("NOT_FOUND", "Path 'x' does not exist.", { hint: "Run LS on '.'." });
    });
    expect(conformant(await tool.run(GOOD))).toMatchObject({
      status: "error",
      data: {},
      text: "Path 'x' does not exist. Run LS on '.'.",
      error: { code: "NOT_FOUND", message: "Path 'x' does not exist." },
    });
  });

  it("lets an error bring its own data, stats and layout", async () => {
    const tool = sampleTool(() => {
      const report = {
        data: { paths: [], truncated: false, aborted_reason: "time_limit" },
        stats: { visited: 7 },
        text: (elapsedMs: number) => `No files found in ${elapsedMs}ms`,
      };
      throw new ToolError("TIMEOUT", "Search timed out.", { hint: "Narrow it.", report });
    });
    const response = conformant(await tool.run(GOOD), "glob");
    expect(response.data).toEqual({ paths: [], truncated: false, aborted_reason: "time_limit" });
    expect(response.stats.visited).toBe(7);
    expect(response.text).toBe(`No files found in ${response.stats.time_ms}ms`);
  });

  it("keeps what the tool noted, also for an error that comes later", async () => {
    const noted = sampleTool(
      (_, call) => {
        call.note({ path_resolved: "src" });
        throw new ToolError("NOT_FOUND", "Gone.", { hint: "Look." });
      },
      { cwd: "packages/app" },
    );
    const { context } = conformant(await noted.run(GOOD));
    expect(context).toEqual({ cwd: "packages/app", params_input: GOOD, path_resolved: "src" });
    expect(conformant(await sampleTool().run(GOOD)).context).not.toHaveProperty("path_resolved");
  });

  it("gives the next call as data: what was given, in the schema's order, with the change, without defaults", async () => {
    const paged = sampleTool(async () => ({ ...(await found()), discounts: [{ ...cut, change: { start_line: 9 } }] }));
    const response = conformant(await paged.run({ limit: 5, pattern: "x", path: null }));
    expect(response.context.next_call).toEqual({ tool: "Find", params: { pattern: "x", start_line: 9, limit: 5 } });
    expect(Object.keys(response.context.next_call?.params ?? {})).toEqual(["pattern", "start_line", "limit"]);
    expect(conformant(await sampleTool().run(GOOD)).context).not.toHaveProperty("next_call");
  });

  it("gives suggestions as data", async () => {
    const tool = sampleTool(() => {
      throw new ToolError("NOT_FOUND", "Gone.", { hint: "Did you mean 'a'?", suggestions: ["a", "b"] });
    });
    expect(conformant(await tool.run(GOOD)).context.suggestions).toEqual(["a", "b"]);
    expect(conformant(await sampleTool().run({})).context).not.toHaveProperty("suggestions");
  });

  it("tells a tool, and its explanations, which other tools the model has", async () => {
    const asked: boolean[] = [];
    const explain = (error: unknown, _: unknown, call: Pick<ToolCall, "has">) => {
      asked.push(call.has("LS"), call.has("Read"));
      return error;
    };
    const fail = () => Promise.reject(new ToolError("NOT_FOUND", "Gone.", { hint: "Look." }));
    await sampleTool(fail, { explain }).run(GOOD);
    await sampleTool(fail, { explain, siblings: ["Read"] }).run(GOOD);
    expect(asked).toEqual([true, true, false, true]);
  });

  it("answers a typed call as it answers a model's call", async () => {
    const tool = sampleTool();
    expect(conformant(await tool.call({ pattern: "x" })).status).toBe("success");
    // @ts-expect-error -- a misspelt parameter does not compile
    expect(conformant(await tool.call({ patern: "x" })).error?.code).toBe("INVALID_PARAM");
  });

  it("types what an answer holds: codes, data and figures", async () => {
    const tool = sampleTool(async () => ({ ...(await found()), stats: { visited: 3 } }));
    const response = await tool.run(GOOD);
    const code: ErrorCode | undefined = response.error?.code;
    expect(code).toBeUndefined();
    const counting = defineTool({
      name: "Count",
      description: "Counts.",
      input: z.strictObject({}),
      run: () => Promise.resolve({ data: { total: 1 }, summary: () => ["Counted."], stats: { visited: 3 } }),
    });
    const counted = await counting.call({});
    const visited: number | undefined = counted.status === "error" ? undefined : counted.stats.visited;
    expect(visited).toBe(3);
    // @ts-expect-error -- there is no such code
    expect(counted.error?.code === "NOT_FUND").toBe(false);
  });

  it("tells the truncator that a tool pages by itself, but not of a call that failed", async () => {
    const controller = new AbortController();
    const paging = sampleTool(async () => ({ ...(await found()), pagesItself: true }));
    expect(conformant(await paging.run(GOOD)).context.truncation_skip).toBe(true);
    expect(conformant(await sampleTool().run(GOOD)).context).not.toHaveProperty("truncation_skip");
    const call = paging.run(GOOD, { signal: controller.signal });
    controller.abort();
    const aborted = conformant(await call);
    expect(aborted.status).toBe("error");
    expect(aborted.context).not.toHaveProperty("truncation_skip");
  });

  it("keeps every answer of a tool that writes from the truncator, and reports what it did despite an abort", async () => {
    const controller = new AbortController();
    const writing = sampleTool(found, { effect: "write" });
    expect(conformant(await writing.run({})).context.truncation_skip).toBe(true);
    const call = writing.run(GOOD, { signal: controller.signal });
    controller.abort();
    expect(conformant(await call)).toMatchObject({ status: "success", context: { truncation_skip: true } });
    const untilAborted: Parameters<typeof sampleTool>[0] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(signal.reason as Error);
        });
      });
    const waiting = sampleTool(untilAborted, { effect: "write" });
    const late = new AbortController();
    const aborted = waiting.run(GOOD, { signal: late.signal });
    late.abort();
    expect(conformant(await aborted).text).toBe(
      "Aborted by the caller. The change may or may not have been made: look at the file before you repeat the call.",
    );
  });

  it("leaves a parameter out of the next call if its change is undefined", async () => {
    const again = {
      label: "Dry Run",
      reason: "nothing was done.",
      next: "Repeat it.",
      change: { limit: undefined },
    } as const;
    const tool = sampleTool(async () => ({ ...(await found()), discounts: [again] }));
    const response = conformant(await tool.run({ ...GOOD, limit: 5 }));
    expect(response.context.next_call).toEqual({ tool: "Find", params: GOOD });
    expect(response.text).toContain("[Dry Run: nothing was done. Repeat it.]");
  });

  // Rule: `params_input` is what the caller passed, as JSON holds it; `null` and `undefined` act as `{}`.
  it.each<[string, unknown, unknown]>([
    ["null", null, {}],
    ["undefined", undefined, {}],
    ["a string", "x", "x"],
    ["what JSON cannot hold", { pattern: 5n, f: undefined }, { pattern: "5" }],
  ])("keeps params_input as JSON holds it: %s", async (_, params, kept) => {
    expect(conformant(await sampleTool().run(params)).context.params_input).toEqual(kept);
  });

  it("does not let the caller change params_input afterwards", async () => {
    const params = { pattern: "x", ignore: ["a"] };
    const { context } = await sampleTool().run(params);
    params.ignore.push("b");
    expect(context.params_input).toEqual({ pattern: "x", ignore: ["a"] });
  });
});

describe("describeTool", () => {
  it("asks for the parameters only when it is asked for them, so that an import builds no schema", () => {
    const input = vi.fn(() => z.object({ path: z.string() }));
    const definition = describeTool({
      name: "Get",
      description: "Gets.",
      get input() {
        return input();
      },
    });
    expect(input).not.toHaveBeenCalled();
    expect(definition.inputSchema.safeParse({ path: "a" }).success).toBe(true);
    expect(input).toHaveBeenCalledOnce();
  });

  const input = z.strictObject({ path: z.string(), expected_size_bytes: z.int().optional() });

  it("describes a tool without a project, and advertises only what is for models", async () => {
    const spec = {
      name: "Put",
      description: "Puts.",
      input,
      effect: "write",
      unadvertised: ["expected_size_bytes"],
    } as const;
    const definition = describeTool(spec);
    expect(definition).toMatchObject({ name: "Put", description: "Puts.", inputSchema: input, effect: "write" });
    expect(definition.jsonSchema).toMatchObject({ properties: { path: { type: "string" } }, required: ["path"] });
    expect(definition.jsonSchema).not.toHaveProperty("properties.expected_size_bytes");
    const put = defineTool({ ...spec, run: () => Promise.resolve({ data: {}, summary: () => ["Put."] }) });
    expect(put.jsonSchema).toEqual(definition.jsonSchema);
    expect(put.effect).toBe("write");
    expect(conformant(await put.run({ path: "x", expected_size_bytes: 5 })).status).toBe("success");
  });

  it("assumes that a tool reads, unless told otherwise", () => {
    expect(describeTool({ name: "Get", description: "Gets.", input }).effect).toBe("read");
  });
});

// Rule: An unexpected exception becomes `INTERNAL_ERROR` that leaks nothing; the original goes to `onInternalError`.
describe("unexpected failures", () => {
  it.each<[string, unknown]>([
    ["an error with a path in it", new Error("ENOENT: /home/secret")],
    ["a string", "secret"],
    ["undefined", undefined],
    ["an object whose every property throws", hostileProxy()],
  ])("become INTERNAL_ERROR that leaks nothing; the original goes to onInternalError: %s", async (_, thrown) => {
    const onInternalError = vi.fn();
    const tool = sampleTool(() => Promise.reject(thrown), { onInternalError });
    const response = conformant(await tool.run(GOOD));
    expect(response.error).toEqual({ code: "INTERNAL_ERROR", message: "Unexpected internal error in Find." });
    expect(JSON.stringify(response)).not.toContain("secret");
    expect(onInternalError.mock.calls).toHaveLength(1);
    expect(onInternalError.mock.calls[0]?.[0]).toBe(thrown);
    expect(onInternalError.mock.calls[0]?.[1]).toEqual({ tool: "Find" });
  });

  it("may come from the summary, the explanation or an error's own layout", async () => {
    const bug = new Error("secret");
    const fail = (): never => {
      throw bug;
    };
    const layout = new ToolError("TIMEOUT", "Late.", { hint: "Wait.", report: { text: fail } });
    const tools = [
      sampleTool(() => Promise.resolve({ data: { paths: [] }, summary: fail })),
      sampleTool(() => Promise.reject(new Error("below")), { explain: fail }),
      sampleTool(() => Promise.reject(layout)),
    ];
    for (const tool of tools) expect(conformant(await tool.run(GOOD)).error?.code).toBe("INTERNAL_ERROR");
  });

  it("do not get worse if onInternalError throws or rejects", async () => {
    const listeners = [
      () => {
        throw new Error("listener");
      },
      // A host's listener may be asynchronous, whatever its type says.
      (): unknown => Promise.reject(new Error("listener")),
    ];
    for (const onInternalError of listeners) {
      const tool = sampleTool(() => Promise.reject(new Error("bug")), { onInternalError });
      expect(conformant(await tool.run(GOOD)).error?.code).toBe("INTERNAL_ERROR");
    }
  });

  it("can be worded by the tool, which sees its own input", async () => {
    const explain = vi.fn(() => new ToolError("EXECUTION_ERROR", "The disk is full.", { hint: "Free some space." }));
    const tool = sampleTool(() => Promise.reject(new Error("ENOSPC")), { explain });
    expect(conformant(await tool.run(GOOD)).error?.code).toBe("EXECUTION_ERROR");
    expect(explain.mock.calls[0]?.slice(0, 2)).toEqual([
      new Error("ENOSPC"),
      expect.objectContaining({ pattern: "x", limit: 100 }),
    ]);
  });
});

describe("abort", () => {
  const waiting = sampleTool(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new DOMException("stop", "AbortError"));
        });
      }),
  );

  it("before the call answers without running the tool", async () => {
    const run = vi.fn(found);
    const response = conformant(await sampleTool(run).run(GOOD, { signal: AbortSignal.abort() }));
    expect(response.error).toEqual({ code: "EXECUTION_ERROR", message: "Aborted by the caller." });
    expect(run).not.toHaveBeenCalled();
  });

  // Rule: An aborted call answers `EXECUTION_ERROR`, or `TIMEOUT` by a `TimeoutError`: "Aborted by the caller."
  it("during the call answers EXECUTION_ERROR", async () => {
    const controller = new AbortController();
    const answer = waiting.run(GOOD, { signal: controller.signal });
    controller.abort();
    expect(conformant(await answer).error).toEqual({ code: "EXECUTION_ERROR", message: "Aborted by the caller." });
  });

  it("by a timeout answers TIMEOUT", async () => {
    const response = conformant(await waiting.run(GOOD, { signal: AbortSignal.timeout(20) }));
    expect(response.error).toEqual({ code: "TIMEOUT", message: "Aborted by the caller." });
  });

  it("is answered for a tool that never listens", async () => {
    const deaf = sampleTool(() => new Promise(() => undefined));
    const response = conformant(await deaf.run(GOOD, { signal: AbortSignal.timeout(10) }));
    expect(response.error?.code).toBe("TIMEOUT");
  });

  // Rule: After an abort only an outcome that stopped early is returned, and a bug stays a bug.
  it.each([
    ["a complete outcome", undefined, "error"],
    ["a page of more", [cut], "error"],
    ["what a search has so far", [stopped], "partial"],
  ])("returns only an outcome that stopped early: %s", async (_, discounts, status) => {
    const controller = new AbortController();
    const tool = sampleTool(async () => {
      controller.abort();
      return { ...(await found()), ...(discounts === undefined ? {} : { discounts }) };
    });
    const response = conformant(await tool.run(GOOD, { signal: controller.signal }));
    expect(response.status).toBe(status);
    if (status === "error") expect(response.error?.message).toBe("Aborted by the caller.");
  });

  it("costs one listener, however many calls share a signal", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const controller = new AbortController();
    const calls = Array.from({ length: 30 }, () => waiting.run(GOOD, { signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort();
    const codes = (await Promise.all(calls)).map((response) => conformant(response).error?.code);
    process.off("warning", onWarning);
    expect(codes).toEqual(codes.map(() => "EXECUTION_ERROR"));
    expect(warnings).toEqual([]);
    expect(conformant(await waiting.run(GOOD, { signal: controller.signal })).error?.code).toBe("EXECUTION_ERROR");
  });

  it("does not hide a bug", async () => {
    const controller = new AbortController();
    const onInternalError = vi.fn();
    const tool = sampleTool(
      () => {
        controller.abort();
        return Promise.reject(new TypeError("bug"));
      },
      { onInternalError },
    );
    expect(conformant(await tool.run(GOOD, { signal: controller.signal })).error?.code).toBe("INTERNAL_ERROR");
    expect(onInternalError).toHaveBeenCalledOnce();
  });

  it("cannot be faked by a tool that was not aborted", async () => {
    const tool = sampleTool(() => Promise.reject(new DOMException("x", "AbortError")));
    expect(conformant(await tool.run(GOOD)).error?.code).toBe("INTERNAL_ERROR");
  });
});

// Rule: Hostile parameters, options and signals never make `run` reject.
describe("hostile parameters", () => {
  const cycle: Record<string, unknown> = { pattern: "x" };
  cycle.self = cycle;
  let deep: unknown = "x";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];

  it.each<[string, unknown]>([
    ["a proxy whose every trap throws", hostileProxy()],
    ["a proxy whose values throw", { pattern: hostileProxy() }],
    ["a list whose items throw", { pattern: "x", ignore: hostileProxy([]) }],
    ["a revoked proxy", revoked()],
    ["a cycle", cycle],
    ["a BigInt", 5n],
    ["NaN", NaN],
    ["a function", found],
    ["a symbol", Symbol("x")],
    ["__proto__", JSON.parse('{"__proto__": {"pattern": "x"}}')],
    ["100,000 levels", { pattern: deep }],
    ["100,000 levels at the top", deep],
    ["toJSON that throws", { pattern: "x", toJSON: () => Reflect.get(hostileProxy(), "x") as unknown }],
    [
      "a getter that throws",
      {
        get pattern(): never {
          throw new Error("no");
        },
      },
    ],
    ["no prototype", Object.create(null)],
  ])("are answered with an error, never a rejection: %s", async (_, params) => {
    const response = conformant(await sampleTool().run(params));
    expect(response.status).toBe("error");
    expect(() => JSON.stringify(response)).not.toThrow();
  });

  it("never reject, whatever comes in", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true }),
        async (params) => {
          conformant(await sampleTool().run(params));
        },
      ),
    );
  });

  it("takes a signal of null for none, as fetch does", async () => {
    const run: unknown = Reflect.get(sampleTool(), "run");
    const response: unknown = await Reflect.apply(run as () => unknown, undefined, [GOOD, { signal: null }]);
    expect(conformant(response)).toHaveProperty("status", "success");
  });

  it.each<[string, unknown]>([
    ["null options", null],
    ["a signal that is not one", { signal: {} }],
    ["options that throw", hostileProxy()],
  ])("nor do hostile options: %s", async (_, options) => {
    // As a caller without types would.
    const run: unknown = Reflect.get(sampleTool(), "run");
    const response: unknown = await Reflect.apply(run as () => unknown, undefined, [GOOD, options]);
    expect(conformant(response)).toHaveProperty("status");
  });
});

function hostileProxy(target: object = {}): object {
  const fail = (): never => {
    throw new Error("hostile");
  };
  return new Proxy(target, {
    get: fail,
    has: fail,
    ownKeys: fail,
    getOwnPropertyDescriptor: fail,
    getPrototypeOf: fail,
  });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
