import { createPacer } from "@fstools/sandbox";
import { startClock, type Clock } from "./engine/clock.ts";
import type { FilesOptions, FilesWithMatches } from "./engine/ripgrep/files-with-matches.ts";

/** Asks ripgrep which files match; when the signal is aborted it returns what it has found so far. */
export type ListFiles = (options: FilesOptions, signal: AbortSignal) => Promise<FilesWithMatches>;

/** What a search for candidates depends on. */
interface CandidateOptions {
  readonly list: ListFiles;
  readonly filter: Pick<FilesOptions, "include" | "includesHidden" | "includesIgnored">;
  /** Whether a file that ripgrep found is one that is searched. */
  readonly isSearched: (path: string) => boolean;
  /** Ends the call. */
  readonly clock: Clock;
  /** Aborted when the candidates are no longer needed. */
  readonly ended: AbortSignal;
  /** After this time it ends with what it has. */
  readonly maxDurationMs: number;
}

/** The files that may match, as ripgrep finds them. */
export interface Candidates {
  /** Waits until many are found, or all, or until it has waited this long. */
  someFound(maxMs: number): Promise<void>;
  /** Whether all are found. */
  isComplete(): boolean;
  /** All of them, as far as ripgrep got in its time; rejects if they were given up before. */
  all(): Promise<FoundCandidates>;
  /** How long the search for them has taken so far. */
  ageMs(): number;
  /** Ends ripgrep, and gives up what it has found so far. */
  stop(): void;
}

/** Candidates, in no order. */
interface FoundCandidates extends FilesWithMatches {
  /** Whether the time was over before ripgrep reached the end. */
  readonly timedOut: boolean;
}

/** Starts to look for candidates; a caller that waits for them gets any error. */
export function findCandidates({ list, filter, isSearched, clock, ended, ...options }: CandidateOptions): Candidates {
  const startedAt = performance.now();
  const stopped = new AbortController();
  let isComplete = false;
  let tellOfMany: () => void = () => undefined;
  const many = new Promise<void>((resolve) => {
    tellOfMany = resolve;
  });

  async function find(): Promise<FoundCandidates> {
    const unneeded = AbortSignal.any([clock.signal, ended, stopped.signal]);
    const time = startClock(unneeded, options.maxDurationMs);
    try {
      const found = await list({ ...filter, onMany: tellOfMany }, time.signal);
      // Time that passes from here on takes nothing from the list.
      const timedOut = time.reason() === "time_limit";
      unneeded.throwIfAborted();
      const pacer = createPacer(unneeded);
      const paths: string[] = [];
      for (const path of found.paths) {
        if (isSearched(path)) paths.push(path);
        if (pacer.due()) await pacer.rest();
      }
      unneeded.throwIfAborted();
      isComplete = true;
      return { ...found, paths, timedOut };
    } finally {
      time.stop();
    }
  }

  const all = find();
  // A caller that waits for it gets the failure.
  all.catch(() => undefined);
  return {
    someFound: async (maxMs) => {
      const timer = setTimeout(tellOfMany, maxMs);
      try {
        await Promise.race([many, all]);
      } finally {
        clearTimeout(timer);
      }
    },
    isComplete: () => isComplete,
    all: () => all,
    ageMs: () => performance.now() - startedAt,
    stop: () => {
      stopped.abort();
    },
  };
}
