import { createPacer } from "@fstools/sandbox";
import type { SearchText } from "../../text/search-text.ts";
import { EngineError, type Engine, type HitSink, type Query } from "../engine.ts";
import {
  baseArguments,
  expectSuccess,
  patternArgument,
  startRipgrep,
  type RipgrepHost,
  type RipgrepInput,
} from "./process.ts";
import { createRowReader, createSpanReader, ROW_ARGUMENTS, SPAN_ARGUMENTS, type Found } from "./output.ts";

/** How many files a process inherits. */
const BATCH_SIZE = 64;

/** What ripgrep calls its standard input. */
const STDIN = "<stdin>";

/**
 * ripgrep as an engine. It inherits the descriptors of verified files, so that it sees nothing else, wherever their
 * paths lead by now; what it says of them are positions. Where descriptors have no names it gets paths.
 */
export function createRipgrepEngine(host: RipgrepHost, query: Query): Engine {
  const pacer = createPacer(host.signal);

  /** Runs ripgrep, and makes sure that it searched everything. */
  async function* findIn(
    names: readonly string[],
    args: readonly string[],
    input: RipgrepInput,
  ): AsyncGenerator<Found> {
    const reader = query.isWhole ? createSpanReader(names) : createRowReader(names);
    const printing = query.isWhole ? SPAN_ARGUMENTS : ROW_ARGUMENTS;
    const enough = query.isFirstEnough ? ["--max-count=1"] : [];
    // Starting a process takes a good part of a slice.
    if (pacer.due()) await pacer.rest();
    const process = startRipgrep(
      host,
      [...baseArguments(query), ...printing, ...enough, "--threads=1", patternArgument(query), ...args],
      input,
    );
    try {
      for await (const piece of process.output()) {
        yield* reader.read(piece);
        if (pacer.due()) await pacer.rest();
      }
      expectSuccess(await process.ended(), query, host.signal);
      if (reader.searched() !== names.length) throw new EngineError("rg_failed");
    } finally {
      process.kill();
    }
  }

  async function searchFiles(texts: readonly [SearchText, ...SearchText[]], sink: HitSink): Promise<boolean> {
    const [first] = texts;
    const { isLarge } = first;
    const { names, descriptors } = namesOf(texts);
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

  /** Finds out whether the pattern is valid. */
  async function searchNothing(): Promise<true> {
    const process = startRipgrep(host, [...baseArguments(query), "--quiet", patternArgument(query), "-"]);
    expectSuccess(await process.ended(), query, host.signal);
    return true;
  }

  return {
    name: "ripgrep",
    batchSize: BATCH_SIZE,
    search: async ([text, ...others], sink) => {
      if (text === undefined) return searchNothing();
      return text.source === undefined ? searchConverted(text, sink) : searchFiles([text, ...others], sink);
    },
  };
}

/** What ripgrep calls files that it inherits, or those that it opens by path. */
function namesOf(texts: readonly SearchText[]): { readonly names: string[]; readonly descriptors: number[] } {
  const names: string[] = [];
  const descriptors: number[] = [];
  for (const { source } of texts) {
    if (typeof source === "number") {
      names.push(`/proc/self/fd/${FIRST_INHERITED + descriptors.length}`);
      descriptors.push(source);
    } else if (source !== undefined) {
      names.push(source);
    }
  }
  return { names, descriptors };
}

const FIRST_INHERITED = 3;
