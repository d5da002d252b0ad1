import type { SearchText } from "./search-text.ts";

/** Where a match lies; positions are bytes of the text. */
export interface Hit {
  /** The line, from 1; undefined where the engine does not count lines. */
  readonly line: number | undefined;
  /** Where its line begins; undefined where the engine does not say. */
  readonly lineStart: number | undefined;
  readonly start: number;
  /** Where it ends, if it may span lines. */
  readonly end?: number;
}

/** What a sink wants after a hit. */
export type Wanted = boolean | "next";

/** Takes what an engine finds, file by file in the order in which it got them. */
export interface HitSink {
  /** Returns false if nothing more is wanted of any file, "next" if nothing more of this one. */
  hit(text: SearchText, hit: Hit): Promise<Wanted> | Wanted;
  /** All of this text was searched; returns false if nothing more is wanted. */
  done(text: SearchText): Promise<boolean> | boolean;
}

/**
 * Texts in order; "pause" says that the next one may take a while, as ripgrep was asked which files match. If the texts
 * end after it without an error, ripgrep has accepted the pattern.
 */
export type TextFeed = AsyncIterable<SearchText | "pause">;

/** Searches texts one by one, closes each, and ends when the sink wants no more. */
export async function searchTexts(
  texts: TextFeed,
  sink: HitSink,
  search: (text: SearchText) => Promise<Wanted>,
): Promise<void> {
  for await (const text of texts) {
    if (text === "pause") continue;
    try {
      if ((await search(text)) === false || !(await sink.done(text))) return;
    } finally {
      text.close();
    }
  }
}

/** Searches texts for one pattern. */
export interface Engine {
  readonly name: "ripgrep" | "javascript";
  /**
   * Searches texts in order, closes each, and reports to the sink; ends early when the sink wants no more.
   * @throws ToolError INVALID_PARAM for an invalid pattern, EngineError if the engine failed, the signal's reason
   */
  search(texts: TextFeed, sink: HitSink): Promise<void>;
  /** Why another engine searched a part of the texts, if one did. */
  readonly fallback?: EngineError["reason"] | undefined;
}

/** What an engine looks for. */
export interface Query {
  /** A regular expression. */
  readonly pattern: string;
  readonly isCaseSensitive: boolean;
  /** Matches may span lines, and "." matches line ends. */
  readonly isMultiline: boolean;
  /** A text is searched as a whole, not line by line: where matches may span lines, or where anchors mean its ends. */
  readonly isWhole: boolean;
}

/** ripgrep could not be run, or did not behave like ripgrep. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly reason: "rg_not_found" | "rg_failed";

  constructor(reason: EngineError["reason"], cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
