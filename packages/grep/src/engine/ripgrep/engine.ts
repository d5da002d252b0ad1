import type { Engine, EngineError, Query } from "../hit.ts";
import type { RipgrepHost } from "./process.ts";
import { searchStream } from "./search-stream.ts";
import { searchEach } from "./search-each.ts";

/**
 * ripgrep as an engine: texts go through its standard input, so that it sees the verified bytes and no path, and what
 * it says about them are positions.
 */
export function createRipgrepEngine(host: RipgrepHost, query: Query): Engine {
  let fallback: EngineError["reason"] | undefined;
  const onPanic = (): void => {
    fallback = "rg_failed";
  };
  return {
    name: "ripgrep",
    search: (texts, sink) =>
      query.isWhole ? searchEach(host, query, texts, sink, onPanic) : searchStream(host, query, texts, sink),
    get fallback() {
      return fallback;
    },
  };
}
