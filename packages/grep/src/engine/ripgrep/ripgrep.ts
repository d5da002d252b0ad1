import { createPacer, GLOB_IGNORED_NAMES } from "@fstools/sandbox";
import type { GrepParams } from "../../params.ts";
import type { SearchText } from "../../text/search-text.ts";
import { EngineError, type Engine, type HitSink } from "../engine.ts";
import type { Query } from "../query.ts";
import * as output from "./output.ts";
import { expectSuccess, queryArguments, startRipgrep, type RipgrepHost, type RipgrepInput } from "./process.ts";

/** How many files a process inherits. */
const BATCH_SIZE = 64;
const FIRST_INHERITED = 3;

/** What ripgrep calls its standard input. */
const STDIN = "<stdin>";

/** ripgrep as an engine: it inherits the descriptors of verified files, or gets paths where they have no names; it only tells positions. */
export function createRipgrepEngine(host: RipgrepHost, query: Query): Engine {
  const pacer = createPacer(host.signal);

  /** Runs ripgrep, and makes sure that it searched everything. */
  async function* findIn(
    names: readonly string[],
    args: readonly string[],
    input: RipgrepInput,
  ): AsyncGenerator<output.Found> {
    const reader = query.isWhole ? output.createSpanReader(names) : output.createRowReader(names);
    const printing = query.isWhole ? output.SPAN_ARGUMENTS : output.ROW_ARGUMENTS;
    const enough = query.isFirstEnough ? ["--max-count=1"] : [];
    // Starting a process takes a good part of a slice.
    if (pacer.due()) await pacer.rest();
    const process = startRipgrep(
      host,
      [...printing, ...enough, "--threads=1", ...queryArguments(query), ...args],
      input,
    );
    try {
      for await (const piece of process.output()) {
        yield* reader.read(piece);
        if (pacer.due()) await pacer.rest();
      }
      const end = await process.ended();
      host.signal.throwIfAborted();
      expectSuccess(end, query);
      if (reader.searched() !== names.length) throw new EngineError("rg_failed");
    } finally {
      process.kill();
    }
  }

  async function searchFiles(texts: readonly [SearchText, ...SearchText[]], sink: HitSink): Promise<boolean> {
    const [first] = texts;
    const { isLarge } = first;
    const names: string[] = [];
    const descriptors: number[] = [];
    for (const { source = "" } of texts) {
      names.push(typeof source === "string" ? source : `/proc/self/fd/${FIRST_INHERITED + descriptors.length}`);
      if (typeof source === "number") descriptors.push(source);
    }
    // A mapped file costs no memory, however long its lines are; but if it becomes shorter, ripgrep dies.
    const found = findIn(names, [isLarge ? "--mmap" : "--no-mmap", ...names], { descriptors });
    let current = { at: 0, isVerbatim: true, last: -1 };
    const finish = async (): Promise<boolean> => {
      const { at, isVerbatim, last } = current;
      current = { at: at + 1, isVerbatim: true, last: -1 };
      const text = texts[at];
      if (text === undefined) return true;
      if (!isVerbatim) return searchConverted(text, sink, last);
      sink.end(text);
      return true;
    };
    try {
      for await (const { index, hits } of found) {
        while (current.at < index) if (!(await finish())) return false;
        const [text, end] = [texts[index], hits.at(-1)];
        if (text === undefined || end === undefined || !current.isVerbatim) continue;
        current.isVerbatim = text.isBinary || (await text.isVerbatim(end.end ?? end.start, pacer));
        if (!current.isVerbatim && isLarge) break;
        if (current.isVerbatim && !(await sink.add(text, hits))) return false;
        if (current.isVerbatim) current.last = end.start;
      }
    } catch (error) {
      // The sink leaves out what changed.
      if (!(error instanceof EngineError) || !isLarge || first.isUnchanged()) throw error;
    }
    while (current.at < texts.length) if (!(await finish())) return false;
    return true;
  }

  /** Where the text is not what the file has, it goes through us; matches up to `last` were reported already. */
  async function searchConverted(text: SearchText, sink: HitSink, last = -1): Promise<boolean> {
    for await (const { hits } of findIn([STDIN], ["--encoding=none", "-"], { pieces: text.pieces() })) {
      const unreported = hits.filter(({ start }) => start > last);
      if (!(await sink.add(text, unreported))) return false;
    }
    sink.end(text);
    return true;
  }

  return {
    name: "ripgrep",
    batchSize: BATCH_SIZE,
    search: async ([text, ...others], sink) => {
      if (text !== undefined) {
        return text.source === undefined ? searchConverted(text, sink) : searchFiles([text, ...others], sink);
      }
      // Whether the pattern is valid.
      const end = await startRipgrep(host, ["--quiet", ...queryArguments(query), "-"]).ended();
      host.signal.throwIfAborted();
      expectSuccess(end, query);
      return true;
    },
  };
}

/** The files in which ripgrep finds something, as far as it got. */
export interface Candidates {
  /** Relative to where it ran, in no order. */
  readonly paths: readonly string[];
  /** How many it searched; 0 if it was stopped. */
  readonly searched: number;
  /** How many files and directories it could not read. */
  readonly skipped: number;
}

// What most searches include; other globs ripgrep may read in another way, and then it looks at everything.
const PLAIN_INCLUDE = /^\*\.(?:\w+|\{\w+(?:,\w+)+\})$/u;
const MAX_PATH_BYTES = 64 * 1024;

/** Asks ripgrep which files below its directory may match, until the signal is aborted; nothing is verified. @throws ToolError, EngineError */
export async function findCandidates(
  host: RipgrepHost,
  query: Query,
  { include = "", include_hidden: includesHidden, include_ignored: includesIgnored }: GrepParams,
): Promise<Candidates> {
  // The last glob that fits decides.
  const ignored = includesIgnored ? [] : [...GLOB_IGNORED_NAMES].map((name) => `--glob=!**/${name}/`);
  const ripgrep = startRipgrep(host, [
    ...["--files-with-matches", "--null", "--stats", "--no-ignore"],
    ...(includesHidden ? ["--hidden"] : []),
    ...(PLAIN_INCLUDE.test(include) ? [`--glob=${include}`] : []),
    ...[...ignored, ...queryArguments(query), "./"],
  ]);
  try {
    const paths: string[] = [];
    const names = output.createSplitter(0, MAX_PATH_BYTES);
    for await (const piece of ripgrep.output()) {
      for (const name of names.split(piece)) paths.push(toPath(name.toString("utf8")));
    }
    const end = await ripgrep.ended();
    const skipped = end.complaints;
    if (host.signal.aborted) return { paths, searched: 0, skipped };
    // Its complaints may be about files: "rg: ./a: Permission denied (os error 13)".
    if (end.code !== 2 || !end.complaint.startsWith("rg: ./")) expectSuccess(end, query);
    const searched = output.searchedIn(names.rest());
    if (searched === undefined) throw new EngineError("rg_failed");
    return { paths, searched, skipped };
  } finally {
    ripgrep.kill();
  }
}

/** @throws EngineError if it is not a path below "./" */
function toPath(printed: string): string {
  const path = process.platform === "win32" ? printed.replaceAll("\\", "/") : printed;
  const isBelow = path.startsWith("./") && !path.split("/").includes("..");
  if (!isBelow) throw new EngineError("rg_failed");
  return path.slice(2);
}
