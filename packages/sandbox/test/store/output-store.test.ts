import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createTruncator, isToolError } from "@fstools/protocol";
import { asNobody, fixture, link, turnsDuring, type Fixture } from "@fstools/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { createOutputStore, type OutputStoreOptions } from "../../src/store/output-store.ts";
import { createSandbox, createSandboxWithin } from "../../src/sandbox.ts";
import { mountForTest } from "../mount.ts";
import { restrict } from "../restrict.ts";

const NAME = /^tool-output\/tool_\d{8}_\d{6}_LS(?:_\d+)?\.json$/u;

function chunks(text: string): Uint8Array[] {
  return [Buffer.from(text)];
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ["through /proc", true],
  ["by path", false],
])("createOutputStore %s", (_, usesProc) => {
  function storeAt(projectRoot: string, options?: OutputStoreOptions, deny?: string[]) {
    return createOutputStore(createSandboxWithin(createBoundary({ projectRoot, deny, usesProc })), options);
  }

  async function refusal(tree: Fixture, options?: OutputStoreOptions, deny?: string[]) {
    const error: unknown = await storeAt(tree.path("root"), options, deny)
      .save("LS", chunks("secret"))
      .then(
        () => expect.fail("saved"),
        (reason: unknown) => reason,
      );
    if (!isToolError(error)) throw error;
    expect(error.message).not.toContain(tree.root);
    return error;
  }

  // Rule: Output store: file 0600, directory 0700, `.gitignore` of `*`.
  it("saves an output for the user alone, in a directory that git ignores", async () => {
    const { root, path } = fixture();
    const saved = await storeAt(root).save("LS", [Buffer.from('{"a":'), Buffer.from("1}")]);
    expect(saved).toMatch(NAME);
    expect(readFileSync(path(saved), "utf8")).toBe('{"a":1}');
    expect(statSync(path(saved)).mode & 0o777).toBe(0o600);
    expect(statSync(path("tool-output")).mode & 0o777).toBe(0o700);
    expect(readFileSync(path("tool-output/.gitignore"), "utf8")).toBe("*\n");
  });

  it("leaves an existing directory and its .gitignore as they are", async () => {
    const { root, path } = fixture({ "tool-output": { ".gitignore": "mine\n" } });
    chmodSync(path("tool-output"), 0o755);
    await storeAt(root).save("LS", chunks("x"));
    expect(readFileSync(path("tool-output/.gitignore"), "utf8")).toBe("mine\n");
    expect(statSync(path("tool-output")).mode & 0o777).toBe(0o755);
  });

  it("makes a directory elsewhere below the root", async () => {
    const { root, path } = fixture();
    const saved = await storeAt(root, { directory: "var/log/tools" }).save("LS", chunks("x"));
    expect(saved).toMatch(/^var\/log\/tools\/tool_/u);
    expect(existsSync(path(saved))).toBe(true);
    expect(existsSync(path("var/log/tools/.gitignore"))).toBe(true);
    expect(existsSync(path("var/.gitignore"))).toBe(false);
  });

  it("loses and overwrites nothing in 200 parallel saves, of two stores", async () => {
    const { root, path } = fixture();
    const [one, other] = [storeAt(root), storeAt(root)];
    const texts = Array.from({ length: 200 }, (__, index) => `output ${index}`);
    const saved = await Promise.all(
      texts.map((text, index) => (index % 2 === 0 ? one : other).save("LS", chunks(text))),
    );
    expect(new Set(saved).size).toBe(200);
    expect(saved.map((name) => readFileSync(path(name), "utf8"))).toEqual(texts);
    expect(readdirSync(path("tool-output"))).toHaveLength(202);
    expect(saved.every((name) => NAME.test(name))).toBe(true);
  });

  // Rule: Output store: `_2`, `_3` in the same second; nothing is overwritten.
  it("numbers outputs of the same second", async () => {
    const { root, path } = fixture({ "tool-output": { "tool_20250131_235909_LS_2.json": "not mine" } });
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2025-01-31T23:59:09Z") });
    const store = storeAt(root, { retentionDays: 1e6 });
    expect(await store.save("LS", chunks("1"))).toBe("tool-output/tool_20250131_235909_LS.json");
    expect(await store.save("LS", chunks("2"))).toBe("tool-output/tool_20250131_235909_LS_3.json");
    expect(readFileSync(path("tool-output/tool_20250131_235909_LS_2.json"), "utf8")).toBe("not mine");
  });

  // Rule: Output store: nothing is written outside.
  it("writes nothing outside, wherever the directory leads", async () => {
    for (const [tree, options] of [
      [fixture({ root: { "tool-output": link("../outside") }, outside: {} }), {}],
      [fixture({ root: { "tool-output": link("../outside/new") }, outside: {} }), {}],
      [fixture({ root: { up: link("..") }, outside: {} }), { directory: "up/outside" }],
      [fixture({ root: {}, outside: {} }), { directory: "../outside" }],
    ] as const) {
      expect(await refusal(tree, options)).toMatchObject({
        code: "ACCESS_DENIED",
        message: "The output directory leads outside the project root.",
      });
      expect(readdirSync(tree.path("outside"))).toEqual([]);
    }
  });

  it.each([
    ["tool-output", "src"],
    ["tool-output", ".git/hooks"],
    ["tool-output", "new"],
    ["link/tool-output", "src"],
  ])("writes nothing through a link: %s to %s", async (directory, target) => {
    const linked = { [directory.split("/")[0] ?? ""]: link(target), src: {}, ".git": { hooks: {} } };
    const tree = fixture({ root: linked });
    expect(await refusal(tree, { directory })).toMatchObject({
      code: "ACCESS_DENIED",
      message: "The output directory is reached through a link.",
    });
    expect(readdirSync(tree.path("root/src"))).toEqual([]);
    expect(readdirSync(tree.path("root/.git/hooks"))).toEqual([]);
    expect(existsSync(tree.path("root/new"))).toBe(false);
  });

  it("writes a .gitignore only into a directory that it made", async () => {
    const { root, path } = fixture({ "tool-output": { "readme.md": "" } });
    const saved = await storeAt(root).save("LS", chunks("x"));
    expect(existsSync(path(saved))).toBe(true);
    expect(existsSync(path("tool-output/.gitignore"))).toBe(false);
  });

  it("refuses a file, the root itself, a missing parent and a denied directory", async () => {
    const notOne = { code: "INVALID_PARAM", message: "'tool-output' is not a directory below the project root." };
    expect(await refusal(fixture({ root: { "tool-output": "" } }))).toMatchObject(notOne);
    const spelledOut = fixture({ root: { "tool-output": "" } });
    expect(await refusal(spelledOut, { directory: spelledOut.path("root/tool-output") })).toMatchObject(notOne);
    expect(await refusal(fixture({ root: {} }), { directory: "." })).toMatchObject({ code: "INVALID_PARAM" });
    expect(await refusal(fixture({ root: {} }), { directory: "a/../b" })).toMatchObject({ code: "NOT_FOUND" });
    const denied = { code: "ACCESS_DENIED", message: "Access denied. A rule of the host blocks 'tool-output'." };
    expect(await refusal(fixture({ root: {} }), {}, ["tool-output"])).toMatchObject(denied);
    const tree = fixture({ root: {} });
    expect(await refusal(tree, {}, ["**/*.json"])).toMatchObject({ code: "ACCESS_DENIED" });
    expect(readdirSync(tree.path("root/tool-output"))).toEqual([".gitignore"]);
  });

  it("reports a read-only directory", async () => {
    const tree = fixture({ root: { "tool-output": { ".gitignore": "*" } }, closed: {} });
    restrict(tree.path("root/tool-output"), 0o555);
    restrict(tree.path("root"), 0o555);
    await asNobody(async () => {
      const expected = { code: "PERMISSION_DENIED", message: "Permission denied writing to 'tool-output'." };
      expect(await refusal(tree)).toMatchObject(expected);
      expect(await refusal(tree, { directory: "new" })).toMatchObject({ code: "PERMISSION_DENIED" });
    });
    expect(readdirSync(tree.path("root/tool-output"))).toEqual([".gitignore"]);
  });

  // Rule: Output store: a full disk leaves no partial file.
  it("leaves no partial file on a full disk", async ({ skip }) => {
    const tree = fixture({ root: { "tool-output": {} } });
    const disk = tree.path("root/tool-output");
    if (!mountForTest(disk, 'mount -t tmpfs -o size=64k,mode=0700 tmpfs "$1"')) skip("needs root");
    const store = storeAt(tree.path("root"));
    const tooMuch = Array.from({ length: 10 }, () => Buffer.alloc(16 * 1024, "x"));
    const error: unknown = await store.save("LS", tooMuch).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "EXECUTION_ERROR",
      message: "Failed to write the output - ENOSPC: no space left on device",
    });
    expect(readdirSync(disk)).toEqual([]);
    expect(await store.save("LS", chunks("fits"))).toMatch(NAME);
  });

  it("leaves no partial file when producing the output fails", async () => {
    const { root, path } = fixture();
    function* broken(): Generator<Uint8Array> {
      yield Buffer.from("half");
      throw new RangeError("Invalid string length");
    }
    await expect(storeAt(root).save("LS", broken())).rejects.toThrow(RangeError);
    expect(readdirSync(path("tool-output"))).toEqual([".gitignore"]);
  });

  // Rule: Output store: retention by mtime, once an hour, listed names only.
  it("removes its own files after their time, at most once an hour, and no others", async () => {
    const { root, path } = fixture({ "tool-output": {} });
    // Nothing but the list tells it from an output.
    writeFileSync(path("tool-output/tool_20200101_000000_my-notes.json"), "", { mode: 0o600 });
    utimesSync(path("tool-output/tool_20200101_000000_my-notes.json"), 0, 0);
    const store = storeAt(root);
    const [first, second] = [await store.save("LS", chunks("1")), await store.save("LS", chunks("2"))];
    utimesSync(path(first), 0, 0);
    const kept = await store.save("LS", chunks("x"));
    expect(existsSync(path(first))).toBe(true);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_001 });
    await store.save("LS", chunks("x"));
    expect([first, second, kept].map((saved) => existsSync(path(saved)))).toEqual([false, true, true]);
    expect(existsSync(path("tool-output/tool_20200101_000000_my-notes.json"))).toBe(true);
  });
});

describe("createOutputStore", () => {
  it.each([0, -1, Number.NaN])("throws for retentionDays %s", (retentionDays) => {
    const sandbox = createSandbox({ projectRoot: fixture().root });
    expect(() => createOutputStore(sandbox, { retentionDays })).toThrow("retentionDays must be a positive number.");
  });

  it("keeps everything with retentionDays Infinity", async () => {
    const { root, path } = fixture({ "tool-output": { "tool_20200101_000000_LS.json": "" } });
    utimesSync(path("tool-output/tool_20200101_000000_LS.json"), 0, 0);
    await createOutputStore(createSandbox({ projectRoot: root }), { retentionDays: Infinity }).save("LS", chunks("x"));
    expect(existsSync(path("tool-output/tool_20200101_000000_LS.json"))).toBe(true);
  });

  it("takes only a sandbox made by this package", () => {
    const sandbox = createSandbox({ projectRoot: fixture().root });
    expect(() => createOutputStore({ ...sandbox })).toThrow(TypeError);
  });

  it("does not block the event loop while it writes", async () => {
    const { root, path } = fixture();
    const store = createOutputStore(createSandbox({ projectRoot: root }));
    const megabytes = Array.from({ length: 32 }, () => Buffer.alloc(1024 * 1024, "x"));
    let saved = "";
    const turns = await turnsDuring(async () => {
      saved = await store.save("LS", megabytes);
    });
    expect(turns).toBeGreaterThanOrEqual(megabytes.length);
    expect(statSync(path(saved)).size).toBe(32 * 1024 * 1024);
  });

  it("serves the truncator: the whole output is valid JSON, and its path is in the answer", async () => {
    const { root, path } = fixture();
    const truncate = createTruncator({ store: createOutputStore(createSandbox({ projectRoot: root })) });
    const response = {
      status: "success" as const,
      data: { paths: Array.from({ length: 5000 }, (_, index) => `src/file-${index}.ts`), truncated: false },
      text: "Found 5000 files",
      stats: { time_ms: 1 },
      context: { cwd: ".", params_input: {} },
    };
    const truncated = await truncate("Glob", response);
    const { truncation } = truncated.data as { truncation: { full_output_path: string } };
    expect(JSON.parse(readFileSync(path(truncation.full_output_path), "utf8"))).toEqual(response);
    mkdirSync(path("elsewhere"));
    rmSync(path("tool-output"), { recursive: true });
    writeFileSync(path("tool-output"), "in the way");
    const unsaved = await truncate("Glob", response);
    expect(unsaved.data).not.toHaveProperty("truncation.full_output_path");
    expect(unsaved.text).toContain("'tool-output' is not a directory below the project root.");
  });
});
