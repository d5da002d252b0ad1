import { execFile } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { asNobody, conformant, fixture, nodeArguments, turnsDuring } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createGrepTool, type GrepOptions } from "../src/index.ts";
import { bundledRipgrep } from "../src/engine/ripgrep/process.ts";

/** As ripgrep prints them of the first file; to the shell's printf. */
const ROW = String.raw`/proc/self/fd/3\0001:1:0:`;
const FIGURES = String.raw`\n2 files searched\n`;

const TREE = { a: "one\n", b: { c: "two\none\n" } };

/** A program in ripgrep's place. */
function impostor(root: string, script: string): string {
  const path = `${root}/.rg`;
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function run(options: GrepOptions, params: Record<string, unknown> = { pattern: "one" }, signal?: AbortSignal) {
  return conformant(await createGrepTool(options).run(params, signal === undefined ? {} : { signal }), "grep");
}

describe("ripgrep that cannot be run", () => {
  it.each([
    ["is missing", () => "/nowhere/rg", "rg_not_found"],
    ["is not executable", (root: string) => `${root}/a`, "rg_failed"],
    ["is a directory", (root: string) => root, "rg_failed"],
    ["lies below a file", (root: string) => `${root}/a/rg`, "rg_failed"],
    ["ends at once", (root: string) => impostor(root, "exit 0"), "rg_failed"],
    ["fails", (root: string) => impostor(root, "echo 'rg: out of luck' >&2; exit 2"), "rg_failed"],
    ["is killed", (root: string) => impostor(root, "kill -9 $$"), "rg_failed"],
    ["prints nonsense", (root: string) => impostor(root, "echo hello; cat >/dev/null"), "rg_failed"],
    ["prints nonsense for ever", (root: string) => impostor(root, "yes hello"), "rg_failed"],
    ["prints one row for ever", (root: string) => impostor(root, `yes "$(printf '${ROW}')"`), "rg_failed"],
    ["repeats a row", (root: string) => impostor(root, `printf '${ROW}\n${ROW}\n${FIGURES}'`), "rg_failed"],
    [
      "names what it was not given",
      (root: string) => impostor(root, `printf '/etc/passwd\\0001:1:0:\n${FIGURES}'`),
      "rg_failed",
    ],
    ["prints a line without end", (root: string) => impostor(root, "tr '\\0' 1 </dev/zero"), "rg_failed"],
    ["repeats what it reads", (root: string) => impostor(root, "cat"), "rg_failed"],
    ["skips files", (root: string) => impostor(root, "cat >/dev/null"), "rg_failed"],
  ])("%s: the other engine answers", async (_, command, reason) => {
    const { root } = fixture(TREE);
    const response = await run({ projectRoot: root, ripgrepPath: command(root) });
    expect(response).toMatchObject({
      status: "partial",
      data: {
        matches: [
          { file: "a", line: 1, text: "one" },
          { file: "b/c", line: 2, text: "one" },
        ],
        truncated: false,
        fallback: "javascript",
        fallback_reason: reason,
      },
      stats: { engine: "javascript" },
    });
    expect(response.context).not.toHaveProperty("next_call");
  });

  it.skipIf(!existsSync("/proc/self/fd")).each([
    ["later", "/nowhere/rg"],
    ["at once", "/dev/null/rg"],
  ])("leaves no file open, if Node says so %s", async (_, ripgrepPath) => {
    const { root } = fixture(TREE);
    const openFiles = () => readdirSync("/proc/self/fd").length;
    await run({ projectRoot: root, ripgrepPath });
    const before = openFiles();
    for (let call = 0; call < 10; call += 1) await run({ projectRoot: root, ripgrepPath });
    expect(openFiles() - before).toBeLessThan(5);
  });

  it.skipIf(!existsSync("/proc/self/fd"))(
    "leaves no file open if a call is aborted before a large file's turn",
    async () => {
      const { root } = fixture({ a: "one\n", b: "one\n".repeat(300_000) });
      const ripgrepPath = impostor(root, "exec sleep 1000");
      for (let call = 0; call < 3; call += 1) {
        const signal = AbortSignal.timeout(700);
        const response = await run({ projectRoot: root, ripgrepPath }, { pattern: "one" }, signal);
        expect(response).toMatchObject({ error: { message: "Aborted by the caller." } });
      }
      const open = readdirSync("/proc/self/fd").flatMap((name) => targetOf(`/proc/self/fd/${name}`));
      expect(open.filter((target) => target.startsWith(root))).toEqual([]);
    },
  );

  // With so many files one ripgrep tells which of them match, and another one searches those.
  it.each([
    ["both end at once", "exit 0"],
    ["the one that searches ends at once", '[ "$last" = ./ ] && sleep 0.2; exit 0'],
    ["the one that tells of files ends at once", '[ "$last" = ./ ] && exit 0; cat >/dev/null'],
    ["both fail", "exit 2"],
  ])("in a large tree, where %s: the other engine finds everything", async (_, script) => {
    const { root } = fixture(Object.fromEntries(Array.from({ length: 100 }, (__, index) => [`f-${index}`, "one\n"])));
    const ripgrepPath = impostor(root, `for last; do :; done; ${script}`);
    const { status, data } = await run({ projectRoot: root, ripgrepPath }, { pattern: "one", limit: 200 });
    expect({ status, data }).toMatchObject({ status: "partial", data: { fallback_reason: "rg_failed" } });
    expect(data).toHaveProperty("matches.length", 100);
  });

  // Rule: A search ends at its time limit, and nothing is left running.
  it("never ends: the time limit does, and nothing is left running", async () => {
    const { root } = fixture(TREE);
    const ripgrepPath = impostor(root, `echo $$ > ${root}/.pid; exec sleep 1000`);
    const response = await run({ projectRoot: root, ripgrepPath, maxDurationMs: 300 });
    expect(response).toMatchObject({
      status: "error",
      error: { code: "TIMEOUT", message: "Search timed out (>0.3s) without finding results." },
      data: { matches: [], truncated: false, aborted_reason: "time_limit" },
    });
    expect(response.text).toMatch(
      /^No matches found for 'one' in '\.'\n\(Searched \d+ files in \d+ms\)\n\[Error: Search timed out \(>0\.3s\) without finding results\. Use a more specific 'path' or 'include'\.\]$/u,
    );
    await expect.poll(() => isRunning(`${root}/.pid`)).toBe(false);
  });

  it("never ends, nor does what it started: an abort is answered", async () => {
    const { root } = fixture(TREE);
    const ripgrepPath = impostor(root, "sleep 5 & sleep 5");
    const response = await run({ projectRoot: root, ripgrepPath }, { pattern: "one" }, AbortSignal.timeout(200));
    expect(response).toMatchObject({ status: "error", error: { code: "TIMEOUT", message: "Aborted by the caller." } });
  });

  // Skipped, not failed, where another user cannot be tried: without root, or in a clone that only root can read.
  it.skipIf(!canBeAnotherUser()).each(["processes", "descriptors"])(
    "cannot be started, as there are no %s left",
    async (what) => {
      const { root } = fixture(TREE);
      const script = new URL("nothing-left.ts", import.meta.url).pathname;
      // As another user than root, whom a limit would not bind, and in a session of its own: who kills what was never
      // started kills everybody around.
      const { stdout } = await promisify(execFile)(
        "setsid",
        [
          "--wait",
          "setpriv",
          "--reuid=61234",
          "--clear-groups",
          process.execPath,
          ...nodeArguments(script),
          root,
          what,
        ],
        { env: { ...process.env, HOME: root } },
      );
      expect(JSON.parse(stdout)).toEqual({ fallback_reason: "rg_failed", matches: 2 });
    },
  );
});

/** Where a link leads, if it is still there. */
function targetOf(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    return [];
  }
}

function canBeAnotherUser(): boolean {
  const folders = import.meta.dirname.split("/").map((_, index, names) => names.slice(0, index + 1).join("/") || "/");
  return process.geteuid?.() === 0 && folders.every((folder) => (statSync(folder).mode & 0o005) === 0o005);
}

function isRunning(pidFile: string): boolean {
  return existsSync(`/proc/${readFileSync(pidFile, "utf8").trim()}/stat`) && !isZombie(readFileSync(pidFile, "utf8"));
}

function isZombie(pid: string): boolean {
  return readFileSync(`/proc/${pid.trim()}/stat`, "utf8").includes(" Z ");
}

describe("ripgrep's own habits", () => {
  it("takes no configuration and no environment", async () => {
    const { root } = fixture({ ...TREE, ".ripgreprc": "--invert-match\n", ".ignore": "a\n", ".rgignore": "b\n" });
    process.env.RIPGREP_CONFIG_PATH = `${root}/.ripgreprc`;
    try {
      expect((await run({ projectRoot: root })).data).toMatchObject({ matches: [{ file: "a" }, { file: "b/c" }] });
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
    }
  });

  // Rule: Patterns, includes and names that begin with `-` are data; ripgrep gets no shell, no configuration, and no
  // environment but `PATH` and `SystemRoot`.
  it("gets patterns, includes and names as data", async () => {
    const { root } = fixture({ "-e": "--files\n", "--help": { "-l.ts": "--files\n" }, "$(touch x)": "`ls`\n" });
    expect((await run({ projectRoot: root }, { pattern: "--files" })).data).toMatchObject({
      matches: [{ file: "-e" }, { file: "--help/-l.ts" }],
    });
    expect((await run({ projectRoot: root }, { pattern: "--files", include: "-l.ts" })).data).toMatchObject({
      matches: [{ file: "--help/-l.ts" }],
    });
    expect((await run({ projectRoot: root }, { pattern: "`ls`", path: "$(touch x)" })).data).toMatchObject({
      matches: [{ file: "$(touch x)" }],
    });
  });

  it.skipIf(!canBeAnotherUser()).each(["patterns", "regex", "x\nrg: regex parse error:\n"])(
    "skips a file below '%s' that it may not read, and does not take that for a complaint about the pattern",
    async (name) => {
      const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`z${index}`, "two\n"]));
      const { root, path } = fixture({ ...many, a: "one\n", [name]: { secret: "one\n" } });
      chmodSync(path(name, "secret"), 0);
      const response = await asNobody(() => run({ projectRoot: root }));
      expect(response).toMatchObject({ status: "partial", stats: { engine: "ripgrep" } });
      expect(response.data).toEqual({ matches: [{ file: "a", line: 1, text: "one" }], truncated: false });
      expect(response.text).toMatch(/^\[Partial: Skipped \d entr(?:y|ies) that could not be read\./mu);
      expect(response.text).not.toContain("secret");
    },
  );

  it("is the one of the optional package", async () => {
    expect(await bundledRipgrep()).toMatch(/ripgrep-.*rg(?:\.exe)?$/u);
  });
});

describe("time and turns", () => {
  it("keeps what was found in a large file when the time is over", async () => {
    const { root } = fixture({ a: "one\n".repeat(300_000) });
    const ripgrepPath = impostor(root, `printf '${ROW}\n'; exec sleep 1000`);
    const response = await run({ projectRoot: root, ripgrepPath, maxDurationMs: 1000 });
    expect(response).toMatchObject({
      status: "partial",
      data: { matches: [{ file: "a" }], truncated: false, aborted_reason: "time_limit" },
    });
    expect(response.text).toContain(
      "[Partial: Search timed out (>1s). Results are incomplete. Use a more specific 'path' or 'include'.]",
    );
    expect(response.context).not.toHaveProperty("next_call");
  });

  it.each([false as const, undefined])("lets the event loop turn (ripgrepPath: %s)", async (ripgrepPath) => {
    const { root } = fixture({ b: `${"x".repeat(100)} one\n`.repeat(30_000), c: "y".repeat(3_000_000) });
    const tool = createGrepTool({ projectRoot: root, ...(ripgrepPath === undefined ? {} : { ripgrepPath }) });
    const turns = await turnsDuring(() => tool.run({ pattern: "one|z", offset: 29_990, context: 2 }));
    expect(turns).toBeGreaterThan(10);
  });
});

describe("many searches at once", () => {
  it("run a few processes at a time, and one that waits can be aborted", async () => {
    const { root, path } = fixture({ project: TREE });
    const ripgrepPath = impostor(root, `echo + >> ${root}/log; sleep 0.3; echo - >> ${root}/log; exit 3`);
    const options = { projectRoot: path("project"), ripgrepPath };
    const searches = Array.from({ length: 40 }, () => run(options));
    const aborted = await run(options, { pattern: "one" }, AbortSignal.timeout(20));
    expect(aborted).toMatchObject({ error: { code: "TIMEOUT", message: "Aborted by the caller." } });
    await Promise.all(searches);
    let running = 0;
    let most = 0;
    for (const sign of readFileSync(path("log"), "utf8").trim().split("\n")) {
      running += sign === "+" ? 1 : -1;
      most = Math.max(most, running);
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(17);
  });
});
