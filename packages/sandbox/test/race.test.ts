import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, realpath } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { fixture, type Fixture } from "@fstools/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBoundary } from "../src/disk/boundary.ts";
import type { SandboxFile } from "../src/disk/open.ts";
import { createSandboxWithin, type Sandbox } from "../src/sandbox.ts";
import { SandboxError } from "../src/error.ts";
import { walkFiles } from "../src/search/walk.ts";
import { positionOf } from "./walked.ts";

const OPENINGS = 500;
const MOST_OPENINGS = 60 * OPENINGS;
const OPENINGS_PER_REST = 8;
const TIMEOUT = 120_000;
const REFUSALS = new Set(["outside", "missing", "not_directory", "is_directory"]);
const signal = new AbortController().signal;

let tree: Fixture;
let stopAttack: () => Promise<unknown>;

beforeAll(async () => {
  tree = fixture({
    project: { "file.txt": "inside", directory: { "file.txt": "inside", "inside-name": "" } },
    outside: { "file.txt": "SECRET", "SECRET-name": "" },
  });
  const script = fileURLToPath(new URL("race-attacker.mjs", import.meta.url));
  const attacker = spawn(process.execPath, [script, tree.path("project"), tree.path("outside"), "32"]);
  await once(attacker.stdout, "data");
  stopAttack = () => {
    attacker.kill("SIGKILL");
    return once(attacker, "exit");
  };
});

afterAll(async () => {
  await stopAttack();
  tree.cleanup();
});

interface Counts {
  inside: number;
  refused: number;
  leaked: number;
}

/** Counts what came back; a refusal is undefined. */
function tally() {
  const counts: Counts = { inside: 0, refused: 0, leaked: 0 };
  const add = (texts: readonly string[] | undefined) => {
    if (texts === undefined) counts.refused += 1;
    else if (texts.some((text) => text.includes("SECRET"))) counts.leaked += 1;
    else counts.inside += 1;
  };
  return { counts, add };
}

/**
 * Continues past the usual number until the attack has had an effect.
 * The pauses are for machines where the attack has no core of its own.
 */
async function underAttack(attempt: () => Promise<void>, shown: () => boolean): Promise<void> {
  for (let opening = 1; opening <= OPENINGS || (opening <= MOST_OPENINGS && !shown()); opening += 1) {
    await attempt();
    if (opening % OPENINGS_PER_REST === 0) await setTimeout(1);
  }
}

function sawBoth({ inside, refused }: Counts): boolean {
  return inside > 0 && refused > 0;
}

async function unlessRefused<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SandboxError && REFUSALS.has(error.reason)) return undefined;
    throw error;
  }
}

function content(file: SandboxFile): string[] {
  try {
    const bytes = Buffer.alloc(100);
    return [bytes.toString("utf8", 0, file.read(bytes, 0))];
  } finally {
    file.close();
  }
}

/** Tries until it succeeds: under attack a path may just be missing. */
async function resolved(sandbox: Sandbox, path: string) {
  for (;;) {
    const found = await unlessRefused(() => sandbox.resolve(path));
    if (found?.relative === path) return found;
  }
}

describe.each([
  ["through /proc", true],
  ["by device and inode", false],
])("under attack, opening %s", { timeout: TIMEOUT }, (_, usesProc) => {
  const sandbox = () => createSandboxWithin(createBoundary({ projectRoot: tree.path("project"), usesProc }));

  // Rule: Not one outside byte comes back under attack.
  it.each(["file.txt", "directory/file.txt"])("never reads an outside byte of %s", async (path) => {
    const { counts, add } = tally();
    const guarded = sandbox();
    const safe = await resolved(guarded, path);
    await underAttack(
      async () => {
        add(await unlessRefused(() => content(guarded.open(safe))));
        add(await unlessRefused(async () => content(guarded.open(await guarded.resolve(path)))));
        add(await unlessRefused(async () => content(await guarded.resolveFile(path))));
      },
      () => sawBoth(counts),
    );
    expect(counts.leaked).toBe(0);
    expect(sawBoth(counts)).toBe(true);
  });
});

describe.runIf(process.platform === "linux")("under attack", { timeout: TIMEOUT }, () => {
  // Rule: Not one outside name is listed under attack.
  it("never lists an outside name", async () => {
    const { counts, add } = tally();
    const sandbox = createSandboxWithin(createBoundary({ projectRoot: tree.path("project") }));
    const directory = await resolved(sandbox, "directory");
    const list = async () => {
      const names: string[] = [];
      for await (const batch of sandbox.readDirectory(directory, { signal }))
        names.push(...batch.map(({ name }) => name));
      return names;
    };
    const listAtOnce = async () => {
      const opened = await sandbox.resolveDirectory("directory");
      const names = opened.next(() => false).map(({ name }) => name);
      opened.close();
      return names;
    };
    await underAttack(
      async () => {
        add(await unlessRefused(list));
        add(await unlessRefused(listAtOnce));
      },
      () => sawBoth(counts),
    );
    expect(counts.leaked).toBe(0);
    expect(sawBoth(counts)).toBe(true);
  });

  it("never finds an outside name, nor counts one", async () => {
    const { counts, add } = tally();
    const sandbox = createSandboxWithin(createBoundary({ projectRoot: tree.path("project") }));
    const search = async () => {
      const names: string[] = [];
      const { visited, skipped } = await walkFiles(sandbox, sandbox.root, {
        position: positionOf("directory/*"),
        includeHidden: true,
        includeIgnored: true,
        maxDurationMs: 60_000,
        signal,
        take: ({ path }) => names.push(path) > 0,
      });
      // The root, and the directory with all its entries, or none of it.
      expect([1, 2 + names.length]).toContain(visited);
      expect(skipped).toEqual([]);
      add(names);
    };
    await underAttack(search, () => counts.inside > 0);
    expect(counts.leaked).toBe(0);
    expect(counts.inside).toBeGreaterThan(0);
  });

  it.each(["directory/file.txt", "directory/SECRET-name"])("never finds %s outside, nor counts it", async (pattern) => {
    const { counts, add } = tally();
    const sandbox = createSandboxWithin(createBoundary({ projectRoot: tree.path("project") }));
    const search = async () => {
      const names: string[] = [];
      const { visited } = await walkFiles(sandbox, sandbox.root, {
        position: positionOf(pattern),
        includeHidden: true,
        includeIgnored: true,
        maxDurationMs: 60_000,
        signal,
        take: ({ path }) => names.push(path) > 0,
      });
      // The root; the directory, or the link in its place; the file. Each of the last two may be gone.
      expect(visited).toBeLessThanOrEqual(2 + names.length);
      add(names);
    };
    await underAttack(search, () => counts.inside > 0);
    expect(counts).toMatchObject({ leaked: 0, refused: 0 });
  });

  it("never suggests an outside name", async () => {
    const { counts, add } = tally();
    const sandbox = createSandboxWithin(createBoundary({ projectRoot: tree.path("project") }));
    await underAttack(
      async () => {
        const error: unknown = await sandbox.resolve("directory/name").catch((reason: unknown) => reason);
        add(error instanceof SandboxError ? [...error.suggestions, error.hint] : undefined);
      },
      () => counts.inside > 0,
    );
    expect(counts.leaked).toBe(0);
    expect(counts.inside).toBeGreaterThan(0);
  });
});

describe("the same attack on a check before use", { timeout: TIMEOUT }, () => {
  /** Resolves the path, sees that it is inside, and then uses it, as many tools do. */
  async function checked<Result>(path: string, use: (path: string) => Promise<Result>): Promise<Result | undefined> {
    try {
      const real = await realpath(tree.path("project", path));
      return real.startsWith(`${tree.path("project")}/`) ? await use(real) : undefined;
    } catch {
      return undefined;
    }
  }

  async function leaks(attempt: () => Promise<readonly string[] | undefined>): Promise<boolean> {
    const { counts, add } = tally();
    for (let opening = 0; opening < MOST_OPENINGS && counts.leaked === 0; opening += 1) add(await attempt());
    return counts.leaked > 0;
  }

  // Rule: The attack is real: check before use reads outside bytes.
  it.each(["file.txt", "directory/file.txt"])("reads outside bytes of %s", async (path) => {
    expect(await leaks(() => checked(path, async (real) => [await readFile(real, "utf8")]))).toBe(true);
  });

  it("lists outside names", async () => {
    expect(await leaks(() => checked("directory", (real) => readdir(real)))).toBe(true);
  });
});
