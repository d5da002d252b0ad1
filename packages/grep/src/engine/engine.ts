import type { SearchText } from "../text/search-text.ts";

/** Where a match lies; positions are bytes of the text. */
export interface Hit {
  readonly start: number;
  /** Where it ends, if it may span lines. */
  readonly end?: number;
  /** Its line, from 1, and where that begins; undefined where the engine does not count lines. */
  readonly line?: number;
  readonly lineStart?: number;
}

/** Takes what an engine finds, text by text in the order in which it got them. */
export interface HitSink {
  /** Takes the next matches of a text; false if nothing more is wanted of any text. */
  add(text: SearchText, hits: readonly Hit[]): Promise<boolean>;
  /** All of this text was searched. */
  end(text: SearchText): void;
}

/** Searches texts for one pattern. */
export interface Engine {
  readonly name: "ripgrep" | "javascript";
  /** How many texts it takes at once. */
  readonly batchSize: number;
  /** Searches texts in order; none only checks the pattern. False if no more is wanted. @throws ToolError, EngineError, SandboxError */
  search(texts: readonly SearchText[], sink: HitSink): Promise<boolean>;
}

/** ripgrep could not be run, or did not behave like ripgrep. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly reason: "rg_not_found" | "rg_failed";

  constructor(reason: EngineError["reason"], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
