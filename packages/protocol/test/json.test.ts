import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRecord, jsonCopy, stringifySafely } from "../src/json.ts";

describe("jsonCopy", () => {
  it.each<[string, unknown, unknown]>([
    ["drops undefined properties", { a: undefined, b: 1 }, { b: 1 }],
    ["keeps the places of an array", [undefined, 1], [null, 1]],
    ["shows NaN", { n: NaN }, { n: "NaN" }],
    ["shows infinities", [Infinity, -Infinity], ["Infinity", "-Infinity"]],
    ["shows a BigInt", { n: 12n }, { n: "12" }],
    ["shows a symbol", { s: Symbol("x") }, { s: "Symbol(x)" }],
    ["shows a function", { f: Math.max }, { f: "function max() { [native code] }" }],
    ["lets a date write itself", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["shows an error", { e: new TypeError("no") }, { e: "TypeError: no" }],
    ["shows a cycle", cycle(), { self: "[circular]", more: [1] }],
    ["keeps null", null, null],
    ["shows what throws", throwing(), { bad: "[unreadable]", good: 1 }],
    ["shows a revoked proxy", { p: revoked() }, { p: "[unreadable]" }],
  ])("%s", (_, value, copy) => {
    expect(jsonCopy(value)).toEqual(copy);
  });

  it("keeps an own property called __proto__, and changes no prototype", () => {
    const copy = jsonCopy(JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true}}');
    expect(copy).not.toHaveProperty("polluted");
  });

  it("stops at a depth that JSON.stringify can write", () => {
    expect(JSON.stringify(jsonCopy(nested(100_000)))).toContain("[too deep]");
  });

  it("stops unfolding a small graph that would become billions of values", () => {
    let graph: unknown = "leaf";
    for (let level = 0; level < 60; level += 1) graph = [graph, graph];
    expect(JSON.stringify(jsonCopy(graph))).toContain("[too large]");
  });

  it("lets two places share an object that is not a cycle", () => {
    const shared = { x: 1 };
    expect(jsonCopy({ a: shared, b: shared })).toEqual({ a: { x: 1 }, b: { x: 1 } });
  });

  it("is what JSON makes of any value that JSON can hold", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(jsonCopy(value))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe("stringifySafely", () => {
  it("is JSON.stringify where that works", () => {
    expect(stringifySafely({ a: [1] }, 2)).toBe(JSON.stringify({ a: [1] }, null, 2));
  });

  it("falls back to a copy where it throws", () => {
    expect(stringifySafely({ n: 1n, self: cycle() })).toBe('{"n":"1","self":{"more":[1],"self":"[circular]"}}');
  });

  it.each([undefined, Math.max, Symbol("x")])("has nothing for %s", (value) => {
    expect(stringifySafely(value)).toBeUndefined();
  });
});

function cycle(): object {
  const value: Record<string, unknown> = { more: [1] };
  value.self = value;
  return value;
}

function throwing(): object {
  return {
    get bad(): never {
      throw new Error("no");
    },
    good: 1,
  };
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

describe("isRecord", () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ["x", false],
    [undefined, false],
  ])("isRecord(%o) is %s", (value, expected) => {
    expect(isRecord(value)).toBe(expected);
  });
});
