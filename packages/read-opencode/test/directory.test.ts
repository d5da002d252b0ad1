import { createPacer, createSandbox } from "@fstools/sandbox";
import { asNobody, fifo, fixture, link } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { readEntries } from "../src/directory.ts";
import { FLAVOURS, type OpencodeVersion } from "../src/flavour.ts";

interface Options {
  readonly version?: OpencodeVersion;
  readonly offset?: number;
  readonly limit?: number;
  readonly deny?: readonly string[];
}

async function list(root: string, name: string, options: Options = {}) {
  const { version = "1.2", offset = 1, limit = 2000, deny = [] } = options;
  const sandbox = createSandbox({ projectRoot: root, deny });
  const { signal } = new AbortController();
  const request = { offset, limit, flavour: FLAVOURS[version], signal, pacer: createPacer(signal) };
  return readEntries(sandbox, await sandbox.resolve(name), request);
}

const files = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ""]));

describe("readEntries", () => {
  it("marks directories and links to directories with a slash, and nothing else", async () => {
    const { root } = fixture({
      real: { "a.txt": "" },
      "to-directory": link("real"),
      "to-file": link("real/a.txt"),
      "to-nothing": link("gone"),
      "to-outside": link("/"),
      pipe: fifo(),
      "file.txt": "",
    });
    expect(await list(root, ".")).toMatchObject({
      entries: ["file.txt", "pipe", "real/", "to-directory/", "to-file", "to-nothing", "to-outside"],
      total: 7,
    });
  });

  it("shows hidden entries and those that other tools ignore", async () => {
    const { root } = fixture({ ".git": {}, ".env0": "", node_modules: {} });
    expect((await list(root, ".")).entries).toEqual([".env0", ".git/", "node_modules/"]);
  });

  // Rule: Entries: case-insensitive order in 1.2, `localeCompare` in 1.18.
  it("sorts by the entry as it is shown: without regard to case in 1.2, by locale in 1.18", async () => {
    const { root } = fixture({ b: {}, "b.txt": "", B2: "", a: "", C: {}, _x: "", é: "" });
    expect((await list(root, ".")).entries).toEqual(["_x", "a", "b.txt", "b/", "B2", "C/", "é"]);
    const shown = ["b/", "b.txt", "B2", "a", "C/", "_x", "é"];
    expect((await list(root, ".", { version: "1.18" })).entries).toEqual(
      shown.sort((left, right) => left.localeCompare(right)),
    );
  });

  it("orders names that differ in case only, always the same", async () => {
    const { root } = fixture(files(["abc", "abC", "aBc", "aBC", "Abc", "AbC", "ABc", "ABC"]));
    expect((await list(root, ".")).entries).toEqual(["ABC", "ABc", "AbC", "Abc", "aBC", "aBc", "abC", "abc"]);
  });

  it.each<OpencodeVersion>(["1.2", "1.18"])(
    "pages through a directory in the order of the whole in %s",
    async (version) => {
      const numbers = Array.from({ length: 1250 }, (_, index) => (index * 7919) % 1250);
      const names = numbers.flatMap((number) => [`f${number}`, `F${number}`]);
      const { root } = fixture(files(names));
      const whole = await list(root, ".", { version, limit: 1_000_000 });
      const { sortKey, compareKeys } = FLAVOURS[version];
      expect(whole.entries).toEqual([...names].sort((a, b) => compareKeys(sortKey(a), sortKey(b)) || (a < b ? -1 : 1)));
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 2600 }), fc.integer({ min: 1, max: 900 }), async (offset, limit) => {
          const page = await list(root, ".", { version, offset, limit });
          expect(page.total).toBe(2500);
          expect(page.entries).toEqual(whole.entries.slice(offset - 1, offset - 1 + limit));
        }),
        { numRuns: 12 },
      );
    },
  );

  it("drops what cannot be on the page while it still reads", async () => {
    const sandbox = createSandbox({ projectRoot: fixture().root });
    const { signal } = new AbortController();
    let comparisons = 0;
    const comparisonsByBatch: number[] = [];
    const manyBatches = {
      ...sandbox,
      async *readDirectory() {
        for (let batch = 0; batch < 5; batch += 1) {
          comparisonsByBatch.push(comparisons);
          const names = Array.from({ length: 2000 }, (_, index) => `a${batch}${String(index).padStart(4, "0")}`);
          yield await Promise.resolve(names.map((name) => ({ name, kind: "file" }) as const));
        }
      },
    };
    const flavour = {
      ...FLAVOURS["1.2"],
      compareKeys: (left: string, right: string) => {
        comparisons += 1;
        return left < right ? -1 : 1;
      },
    };
    const request = { offset: 1, limit: 1, flavour, signal, pacer: createPacer(signal) };
    expect(await readEntries(manyBatches, sandbox.root, request)).toMatchObject({ entries: ["a00000"], total: 10_000 });
    expect(comparisonsByBatch.at(-1)).toBeGreaterThan(0);
  });

  it("gives no entries past the end, but the total", async () => {
    const { root } = fixture(files(["a", "b"]));
    expect(await list(root, ".", { offset: 3 })).toMatchObject({ entries: [], total: 2 });
    expect(await list(fixture().root, ".")).toMatchObject({ entries: [], total: 0 });
  });

  it("escapes names, so that none can forge a line", async () => {
    const { root } = fixture(files(["a\n(1 entries)\n<entries>", "b\u202Etxt"]));
    expect(await list(root, ".")).toMatchObject({
      shown: ["a\\n(1 entries)\\n<entries>", "b\\u202etxt"],
      entries: ["a\n(1 entries)\n<entries>", "b\u202Etxt"],
    });
  });

  it("leaves out and does not count what the host denies", async () => {
    const { root } = fixture({ ".env": "", "a.pem": "", "a.txt": "", secret: {}, "to-secret": link("secret") });
    expect(await list(root, ".", { deny: ["**/.env", "**/*.pem", "secret"] })).toMatchObject({
      entries: ["a.txt", "to-secret"],
      total: 2,
    });
  });

  it("rejects when the system does not let it read", async () => {
    const { root, path } = fixture({ locked: {} });
    const { chmodSync } = await import("node:fs");
    chmodSync(path("locked"), 0o000);
    await asNobody(async () => {
      await expect(list(root, "locked")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    });
  });

  it("gives way to the event loop at each entry that it reads or shows, and before it sorts", async () => {
    const { root } = fixture(files(["a", "b", "c", "d"]));
    const sandbox = createSandbox({ projectRoot: root });
    const { signal } = new AbortController();
    const rest = vi.fn(() => Promise.resolve());
    const pacer = { due: () => true, rest };
    await readEntries(sandbox, sandbox.root, { offset: 1, limit: 10, flavour: FLAVOURS["1.2"], signal, pacer });
    expect(rest).toHaveBeenCalledTimes(4 + 1 + 4);
  });

  it("stops when the signal is aborted", async () => {
    const { root } = fixture(files(["a", "b"]));
    const sandbox = createSandbox({ projectRoot: root });
    const signal = AbortSignal.abort(new Error("enough"));
    const request = { offset: 1, limit: 10, flavour: FLAVOURS["1.2"], signal, pacer: createPacer(signal) };
    await expect(readEntries(sandbox, sandbox.root, request)).rejects.toBe(signal.reason);
  });
});
