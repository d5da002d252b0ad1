import type { Pacer } from "@fstools/sandbox";
import type { HitSink } from "./hit.ts";
import { findLineEnd } from "./lines.ts";
import type { SearchText } from "./search-text.ts";

/** Passes on the first match of each line: where a text is searched as a whole, an engine reports all of them. */
export function firstInLine(sink: HitSink, pacer: Pacer): HitSink {
  let last: SearchText | undefined;
  let nextLine = 0;
  return {
    hit: async (text, { start }) => {
      if (text === last && start < nextLine) return true;
      last = text;
      nextLine = (await findLineEnd(text, start, pacer)).next ?? Infinity;
      return sink.hit(text, { line: undefined, lineStart: undefined, start });
    },
    done: (text) => sink.done(text),
  };
}
