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
  const isAlone = query.isMultiline || hasTextAnchor(query);
  return {
    name: "ripgrep",
    search: (texts, sink) =>
      isAlone ? searchEach(host, query, texts, sink, onPanic) : searchStream(host, query, texts, sink),
    get fallback() {
      return fallback;
    },
  };
}

/** Anchors at the ends of a text must not see the texts before and after it. */
function hasTextAnchor({ pattern }: Query): boolean {
  return /\\[AzZ]|\(\?[a-z]*-[a-z]*m/iu.test(pattern);
}
