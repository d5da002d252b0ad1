import { Buffer } from "node:buffer";
import { GLOB_IGNORED_NAMES } from "@fstools/sandbox";
import type { GrepParams } from "../../params.ts";
import { EngineError, type Query } from "../engine.ts";
import { invalidPattern } from "../dialect.ts";
import { baseArguments, patternArgument, patternComplaint, startRipgrep, type RipgrepHost } from "./process.ts";
import { searchedIn } from "./output.ts";

/** What ripgrep should leave out; it may look at more than the rules allow, never at less. */
export type CandidateFilter = Pick<GrepParams, "include" | "include_hidden" | "include_ignored">;

/** The files in which ripgrep finds something, as far as it got. */
export interface Candidates {
  /** Relative to where it ran, in no order. */
  readonly paths: readonly string[];
  /** How many it searched; undefined if it was stopped. */
  readonly searched: number | undefined;
  /** How many files and directories it could not read. */
  readonly skipped: number;
}

/** What most searches include; other globs ripgrep may read in another way, and then it looks at everything. */
const PLAIN_INCLUDE = /^\*\.(?:\w+|\{\w+(?:,\w+)+\})$/u;
const MAX_PATH_BYTES = 64 * 1024;

/**
 * Asks ripgrep which files below its directory have a match. What it read is not verified: they have to be searched.
 * When the signal is aborted it returns what it has found so far.
 * @throws ToolError INVALID_PARAM for an invalid pattern, EngineError
 */
export async function findCandidates(host: RipgrepHost, query: Query, filter: CandidateFilter): Promise<Candidates> {
  const ripgrep = startRipgrep(host, [
    ...baseArguments(query),
    "--files-with-matches",
    "--null",
    "--stats",
    "--no-ignore",
    ...(filter.include_hidden ? ["--hidden"] : []),
    ...globs(filter).map((glob) => `--glob=${glob}`),
    patternArgument(query),
    "./",
  ]);
  try {
    const { paths, figures } = await readPaths(ripgrep.output());
    const { code, complaint, complaints } = await ripgrep.ended();
    if (host.signal.aborted) return { paths, searched: undefined, skipped: complaints };
    if (code === 2 && complaints > 0) {
      const details = patternComplaint(complaint);
      if (details !== undefined) throw invalidPattern(query.pattern, details);
      // Its complaints are about files: "rg: ./a: Permission denied (os error 13)".
      if (!complaint.startsWith("rg: ./")) throw new EngineError("rg_failed", complaint);
    } else if (code !== 0 && code !== 1) {
      throw new EngineError("rg_failed", complaint);
    }
    const searched = searchedIn(figures);
    if (searched === undefined) throw new EngineError("rg_failed", figures.slice(0, 200));
    return { paths, searched, skipped: complaints };
  } finally {
    ripgrep.kill();
  }
}

function globs({ include = "", include_ignored: includesIgnored }: CandidateFilter): string[] {
  // The last one that fits decides.
  const ignored = includesIgnored ? [] : [...GLOB_IGNORED_NAMES].map((name) => `!**/${name}/`);
  return [...(PLAIN_INCLUDE.test(include) ? [include] : []), ...ignored];
}

async function readPaths(output: AsyncIterable<Buffer>): Promise<{ paths: string[]; figures: string }> {
  const paths: string[] = [];
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of output) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
      paths.push(toPath(bytes.toString("utf8", from, end)));
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > MAX_PATH_BYTES) throw new EngineError("rg_failed");
  }
  return { paths, figures: rest.toString("utf8") };
}

/** @throws EngineError if it is not a path below "./" */
function toPath(printed: string): string {
  const path = process.platform === "win32" ? printed.replaceAll("\\", "/") : printed;
  const isBelow = path.startsWith("./") && !path.split("/").includes("..");
  if (!isBelow) throw new EngineError("rg_failed");
  return path.slice(2);
}
