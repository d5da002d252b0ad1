import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fixture, type Fixture } from "@fstools/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBoundary } from "../src/boundary.ts";
import { createSandboxWithin, type Sandbox } from "../src/sandbox.ts";
import { SandboxError } from "../src/sandbox-error.ts";

const OPENINGS = 3000;
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
  const attacker = spawn(process.execPath, [script, tree.path("project"), tree.path("outside")]);
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

/** Counts what came back; a refusal is undefined. */
function tally() {
  const counts = { inside: 0, refused: 0, leaked: 0 };
  const add = (texts: readonly string[] | undefined) => {
    if (texts === undefined) counts.refused += 1;
    else if (texts.some((text) => text.includes("SECRET"))) counts.leaked += 1;
    else counts.inside += 1;
  };
  return { counts, add };
}

async function unlessRefused<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SandboxError && REFUSALS.has(error.reason)) return undefined;
    throw error;
  }
}

function content(sandbox: Sandbox, path: Parameters<Sandbox["open"]>[0]): string[] {
  const file = sandbox.open(path);
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
])("under attack, opening %s", (_, usesProc) => {
  const sandbox = () => createSandboxWithin(createBoundary(tree.path("project"), undefined, usesProc));

  it.each(["file.txt", "directory/file.txt"])("never reads an outside byte of %s", async (path) => {
    const { counts, add } = tally();
    const guarded = sandbox();
    const safe = await resolved(guarded, path);
    for (let opening = 0; opening < OPENINGS; opening += 1) {
      add(await unlessRefused(() => content(guarded, safe)));
      add(await unlessRefused(async () => content(guarded, await guarded.resolve(path))));
    }
    expect(counts.leaked).toBe(0);
    expect(counts.inside).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  });
});

describe.runIf(process.platform === "linux")("under attack", () => {
  it("never lists an outside name", async () => {
    const { counts, add } = tally();
    const sandbox = createSandboxWithin(createBoundary(tree.path("project")));
    const directory = await resolved(sandbox, "directory");
    for (let opening = 0; opening < OPENINGS; opening += 1) {
      add(
        await unlessRefused(async () => {
          const names: string[] = [];
          for await (const batch of sandbox.readDirectory(directory, { signal }))
            names.push(...batch.map(({ name }) => name));
          return names;
        }),
      );
    }
    expect(counts.leaked).toBe(0);
    expect(counts.inside).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  });

  it("never confirms an outside name, though the search itself comes across some", async () => {
    const sandbox = createSandboxWithin(createBoundary(tree.path("project")));
    const found = tally();
    const confirmed = tally();
    for (let opening = 0; opening < OPENINGS || (found.counts.leaked === 0 && opening < 50 * OPENINGS); opening += 1) {
      const search = sandbox.createSearch(sandbox.root);
      const names: string[] = [];
      await search.list("directory", (entries) => names.push(...entries.map(({ name }) => name)) >= 0);
      found.add(names);
      confirmed.add(names.filter((name) => search.confirm("directory", name) === "present"));
      search.close();
    }
    expect(found.counts.leaked).toBeGreaterThan(0);
    expect(confirmed.counts.leaked).toBe(0);
    expect(confirmed.counts.inside).toBeGreaterThan(0);
  });

  it("never suggests an outside name", async () => {
    const { counts, add } = tally();
    const sandbox = createSandboxWithin(createBoundary(tree.path("project")));
    for (let opening = 0; opening < OPENINGS; opening += 1) {
      const error: unknown = await sandbox.resolve("directory/name").catch((reason: unknown) => reason);
      add(error instanceof SandboxError ? [...error.suggestions, error.hint] : undefined);
    }
    expect(counts.leaked).toBe(0);
  });
});

describe("the same attack on a check before use", () => {
  /** Resolves the path, sees that it is inside, and then uses it, as many tools do. */
  function checked<Result>(path: string, use: (path: string) => Result): Result | undefined {
    try {
      const real = realpathSync(tree.path("project", path));
      return real.startsWith(`${tree.path("project")}/`) ? use(real) : undefined;
    } catch {
      return undefined;
    }
  }

  function leaks(attempt: () => readonly string[] | undefined): boolean {
    for (let opening = 0; opening < 200 * OPENINGS; opening += 1) {
      if (attempt()?.some((text) => text.includes("SECRET")) === true) return true;
    }
    return false;
  }

  it("reads outside bytes", () => {
    expect(leaks(() => checked("file.txt", (real) => [readFileSync(real, "utf8")]))).toBe(true);
    expect(leaks(() => checked("directory/file.txt", (real) => [readFileSync(real, "utf8")]))).toBe(true);
  });

  it("lists outside names", () => {
    expect(leaks(() => checked("directory", (real) => readdirSync(real)))).toBe(true);
  });
});
