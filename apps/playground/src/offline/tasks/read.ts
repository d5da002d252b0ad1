import { look, type Investigation } from "../investigation.ts";
import { answerListing } from "./list.ts";
import type { LineRange } from "../question/question.ts";
import { answerPage, plural } from "../evidence/quote.ts";
import type { Page } from "../observation.ts";
import { readOn, visit } from "../visit.ts";

const MAX_PAGES = 8;
/** Enough to see what a file is; the user can ask for more. */
const SMALL_PAGE = 100;

/** Reads the lines of a file that were asked for. */
export function* read(path: string, range: LineRange): Investigation<string> {
  const params = { path, ...firstPage(range) };
  const { observation, notes } = yield* visit({ tool: "Read", params }, `I read '${path}'${rangeWords(range)}.`);
  if (observation?.kind !== "page") {
    if (observation?.kind === "failure")
      return [...notes, `I could not read '${path}': ${observation.message}`].join("\n\n");
    return [...notes, yield* answerListing(path, observation)].join("\n\n");
  }
  return [...notes, yield* restOf(observation, range)].join("\n\n");
}

function firstPage(range: LineRange): Record<string, number> {
  if (range.kind === "last") return { limit: 1 };
  if (range.kind === "page") return { limit: SMALL_PAGE };
  if (range.kind !== "from") return {};
  if (range.last === undefined) return { start_line: range.first };
  return { start_line: range.first, limit: Math.min(2000, Math.max(1, range.last - range.first + 1)) };
}

function rangeWords(range: LineRange): string {
  if (range.kind === "last") return " to learn how long it is";
  if (range.kind !== "from") return "";
  return range.last === undefined ? ` from line ${range.first}` : `, lines ${range.first}-${range.last}`;
}

function* restOf(first: Page, range: LineRange): Investigation<string> {
  if (range.kind === "last") return yield* lastLines(first, range.count);
  if (range.kind !== "whole") return answerPage(first);
  const pages = yield* readOn(first, MAX_PAGES);
  const last = pages.at(-1) ?? first;
  return answerPage({ ...last, lines: pages.flatMap((page) => page.lines) });
}

function* lastLines(first: Page, count: number): Investigation<string> {
  const total = first.total;
  if (total === undefined || total <= first.lines.length) return answerPage(first);
  const start = Math.max(1, total - count + 1);
  const seen = yield* look(`It has ${total} lines, so I read from line ${start}.`, "Read", {
    path: first.path,
    start_line: start,
    limit: count,
  });
  return seen?.kind === "page" ? answerPage(seen) : answerPage(first);
}

/** Tells how long a file is: the answer to a read of one line has the totals. */
export function* countLines(path: string): Investigation<string> {
  const call = { tool: "Read", params: { path, limit: 1 } } as const;
  const { observation, notes } = yield* visit(
    call,
    `I read one line of '${path}'; the answer tells how many there are.`,
  );
  if (observation?.kind === "failure")
    return [...notes, `I could not read '${path}': ${observation.message}`].join("\n\n");
  if (observation?.kind !== "page") return [...notes, yield* answerListing(path, observation)].join("\n\n");
  const pages = observation.total === undefined ? yield* readOn(observation, MAX_PAGES) : [observation];
  const total = observation.total ?? pages.at(-1)?.total;
  const lines = total === undefined ? "more lines than I read" : plural(total, "line");
  const bytes = observation.bytes === undefined ? "" : `, ${plural(observation.bytes, "byte")}`;
  return [...notes, `\`${observation.path}\` has ${lines}${bytes}.`].join("\n\n");
}
