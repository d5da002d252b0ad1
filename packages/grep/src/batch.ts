import { SandboxError, type Pacer, type SafePath, type Sandbox } from "@fstools/sandbox";
import { EngineError, type Engine } from "./engine/engine.ts";
import type { Page } from "./page.ts";
import { openText, type SearchText, type TextOptions } from "./text/search-text.ts";

/** What a batch depends on. */
interface BatchOptions {
  readonly sandbox: Sandbox;
  readonly engine: Engine;
  readonly page: Page;
  readonly text: TextOptions;
  /** Whether a file that cannot be read is skipped; otherwise it ends the search. */
  readonly skipsUnreadable: boolean;
  readonly pacer: Pacer;
}

/** Opens files, and has as many of them searched at once as the engine takes; whoever creates it closes it. */
export function createBatch({ sandbox, engine, page, pacer, skipsUnreadable, ...options }: BatchOptions) {
  let texts: SearchText[] = [];
  let hasSearched = false;
  let skipped = 0;

  /** Takes the next file; false if no more are wanted. */
  function add(path: SafePath): boolean | Promise<boolean> {
    const text = open(path);
    if (text === undefined) return pacer.due() ? rest() : true;
    // There may be too many open files.
    if (text === "failed") return flush().then((goesOn) => goesOn && add(path));
    if (text.isLarge || text.source === undefined) return searchAlone(text);
    texts.push(text);
    if (texts.length >= engine.batchSize) return flush();
    return pacer.due() ? rest() : true;
  }

  function open(path: SafePath): SearchText | "failed" | undefined {
    try {
      return openText(sandbox, path, options.text);
    } catch (error) {
      if (error instanceof SandboxError && error.reason === "io" && texts.length > 0) return "failed";
      skip(error);
      return undefined;
    }
  }

  async function rest(): Promise<true> {
    await pacer.rest();
    return true;
  }

  async function searchAlone(text: SearchText): Promise<boolean> {
    // Also where that fails, so that it is closed.
    const goesOn = await flush().finally(() => texts.push(text));
    return goesOn && flush();
  }

  async function flush(): Promise<boolean> {
    const batch = texts;
    const [text] = batch;
    if (text === undefined) return true;
    texts = [];
    hasSearched = true;
    try {
      return await engine.search(batch, page);
    } catch (error) {
      if (batch.length > 1 && error instanceof SandboxError) throw new EngineError("rg_failed", error);
      skip(error);
      page.reject(text);
      page.end(text);
      return true;
    } finally {
      page.finish();
      for (const searched of batch) searched.close();
    }
  }

  /** @throws the error itself if the search cannot go on without the file */
  function skip(error: unknown): void {
    if (!skipsUnreadable || !(error instanceof SandboxError)) throw error;
    // One that is gone, or is not a file any more, does not count.
    if (["permission", "io", "unknown"].includes(error.reason)) skipped += 1;
  }

  return {
    add,
    /** Searches what is left; where there was no file at all, makes sure that the pattern is valid. */
    finish: async () => {
      if (page.isFull()) return;
      await flush();
      if (!hasSearched) await engine.search([], page);
    },
    /** Closes what is still open. */
    close: () => {
      for (const text of texts) text.close();
    },
    /** How many files could not be read. */
    skipped: () => skipped,
  };
}
