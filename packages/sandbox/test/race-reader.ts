// Reads, lists and searches a project while something swaps its paths, and counts what came back.
// node --import tsx race-reader.ts <project> <milliseconds> [descriptor | path]
import { Buffer } from "node:buffer";
import { createBoundary } from "../src/disk/boundary.ts";
import type { SandboxFile } from "../src/disk/open.ts";
import { createSandboxWithin, type Sandbox } from "../src/sandbox.ts";
import { SandboxError } from "../src/error.ts";
import { walkFiles } from "../src/search/walk.ts";
import { positionOf } from "./walked.ts";

const OUTSIDE = "SECRET";

/** The results of the calls of one race. */
export interface RaceCounts {
  verification: Sandbox["verification"];
  attempts: number;
  /** Calls that answered with something inside. */
  inside: number;
  refused: number;
  /** Calls that answered with a byte or a name from outside. */
  leaks: number;
  /** Calls whose failure depends on what is outside: the names asked for exist only there, or only inside. */
  told: number;
}

type Attempt = (sandbox: Sandbox) => Promise<readonly string[]>;

const READS: readonly Attempt[] = [
  async (sandbox) => read(sandbox, "swapped/file.txt"),
  async (sandbox) => read(sandbox, "swapped/deep/file.txt"),
  async (sandbox) => read(sandbox, "file.txt"),
  async (sandbox) => readAtOnce(sandbox, "swapped/file.txt"),
  async (sandbox) => readAtOnce(sandbox, "swapped/deep/file.txt"),
  async (sandbox) => readAtOnce(sandbox, "file.txt"),
  async (sandbox) => listAtOnce(sandbox, "swapped"),
  async (sandbox) => listAtOnce(sandbox, "swapped/deep"),
  async (sandbox) => {
    const names: string[] = [];
    for await (const batch of sandbox.readDirectory(await sandbox.resolve("swapped"))) {
      names.push(...batch.map(({ name }) => name));
    }
    return names;
  },
  async (sandbox) => {
    const names: string[] = [];
    await walkFiles(sandbox, sandbox.root, {
      position: positionOf("swapped/**"),
      includeHidden: true,
      includeIgnored: true,
      maxDurationMs: 60_000,
      signal: new AbortController().signal,
      take: ({ path }) => names.push(path) > 0,
    });
    return names;
  },
];

async function listAtOnce(sandbox: Sandbox, path: string): Promise<string[]> {
  const directory = await sandbox.resolveDirectory(path);
  try {
    return directory.next(() => false).map(({ name }) => name);
  } finally {
    directory.close();
  }
}

async function read(sandbox: Sandbox, path: string): Promise<string[]> {
  return content(sandbox.open(await sandbox.resolve(path)));
}

async function readAtOnce(sandbox: Sandbox, path: string): Promise<string[]> {
  return content(await sandbox.resolveFile(path));
}

function content(file: SandboxFile): string[] {
  try {
    const bytes = Buffer.alloc(100);
    return [bytes.toString("utf8", 0, file.read(bytes, 0))];
  } finally {
    file.close();
  }
}

/** Runs the race for this long; with `usesProc` false as on a system without `/proc`. */
export async function raceFor(project: string, milliseconds: number, usesProc?: boolean): Promise<RaceCounts> {
  const sandbox = createSandboxWithin(createBoundary({ projectRoot: project, usesProc }));
  const counts: RaceCounts = {
    verification: sandbox.verification,
    attempts: 0,
    inside: 0,
    refused: 0,
    leaks: 0,
    told: 0,
  };
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    for (const attempt of READS) {
      counts.attempts += 1;
      try {
        const texts = await attempt(sandbox);
        if (texts.some((text) => text.includes(OUTSIDE))) counts.leaks += 1;
        else counts.inside += 1;
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error;
        counts.refused += 1;
      }
    }
    for (const end of [endOfResolving, endOfOpening]) {
      counts.attempts += 2;
      if ((await end(sandbox, "swapped/only-inside.txt")) === "missing") counts.told += 1;
      if ((await end(sandbox, "swapped/SECRET.txt")) === "resolved") counts.told += 1;
    }
    counts.attempts += 4;
    // Links that are only outside, and a link inside to what is only outside.
    if ((await endOfResolving(sandbox, "swapped/back")) === "resolved") counts.told += 1;
    if ((await endOfOpening(sandbox, "swapped/back-file")) === "resolved") counts.told += 1;
    if ((await endOfResolving(sandbox, "swapped/loop")) === "invalid_name") counts.told += 1;
    if (await leadsToDirectory(sandbox, "swapped", "dangling")) counts.told += 1;
  }
  return counts;
}

async function endOfResolving(sandbox: Sandbox, path: string): Promise<string> {
  try {
    await sandbox.resolve(path);
    return "resolved";
  } catch (error) {
    if (error instanceof SandboxError) return error.reason;
    throw error;
  }
}

async function leadsToDirectory(sandbox: Sandbox, directory: string, name: string): Promise<boolean> {
  try {
    return sandbox.createLinkProbe(await sandbox.resolve(directory))(name);
  } catch (error) {
    if (error instanceof SandboxError) return false;
    throw error;
  }
}

async function endOfOpening(sandbox: Sandbox, path: string): Promise<string> {
  const resolved: object[] = [];
  try {
    const call = { note: (context: object) => resolved.push(context), tell: () => undefined };
    const file = await sandbox.resolveFile(path, { call });
    file.close();
    return "resolved";
  } catch (error) {
    if (error instanceof SandboxError) return resolved.length > 0 ? "resolved" : error.reason;
    throw error;
  }
}

const [project, milliseconds, way] = process.argv.slice(2);
if (/race-reader\.(?:ts|mjs)$/u.test(process.argv[1] ?? "") && project !== undefined) {
  const usesProc = way === undefined ? undefined : way === "descriptor";
  process.stdout.write(JSON.stringify(await raceFor(project, Number(milliseconds), usesProc)));
}
