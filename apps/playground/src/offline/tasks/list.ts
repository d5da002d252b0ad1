import { look, type Call, type Investigation } from "../investigation.ts";
import { answerPage, bullets, plural } from "../evidence/quote.ts";
import type { Clipped, Listing, Observation } from "../observation.ts";
import { visit } from "../visit.ts";

const MAX_PAGES = 6;

/** Lists a directory, all pages of it within reason. */
export function* list(path: string): Investigation<string> {
  const first: Call = { tool: "LS", params: { path } };
  const { observation, notes } = yield* visit(first, `I list '${path}'.`);
  return [...notes, yield* answerListing(path, observation)].join("\n\n");
}

/** Goes on from a listing (or whatever came instead) to an answer. */
export function* answerListing(path: string, observation: Observation | undefined): Investigation<string> {
  if (observation?.kind === "page") return answerPage(observation);
  if (observation?.kind === "failure") return `I could not list '${path}': ${observation.message}`;
  const pages =
    observation?.kind === "listing"
      ? yield* pagesAfter([observation])
      : observation?.kind === "clipped"
        ? yield* smallerPages(observation)
        : [];
  const last = pages.at(-1);
  if (!last) return `I could not list '${path}'.`;
  return describe(
    last,
    pages.flatMap((page) => page.entries),
  );
}

function* pagesAfter(pages: readonly Listing[]): Investigation<readonly Listing[]> {
  const last = pages.at(-1);
  if (!last?.next || pages.length >= MAX_PAGES) return pages;
  const seen = yield* look(
    `There are more entries in '${last.path}'; I follow the hint to the next page.`,
    "LS",
    last.next.params,
  );
  return seen?.kind === "listing" ? yield* pagesAfter([...pages, seen]) : pages;
}

/** The truncator's first advice: the same call with a smaller limit. */
function* smallerPages({ call }: Clipped): Investigation<readonly Listing[]> {
  const limit = Math.max(5, Math.floor(Number(call.params.limit ?? 100) / 4));
  const seen = yield* look(
    `The answer was too large for the context and was truncated; as it advises, I repeat the call with limit=${limit}.`,
    "LS",
    { ...call.params, limit },
  );
  if (seen?.kind === "clipped" && limit > 5) return yield* smallerPages(seen);
  return seen?.kind === "listing" ? yield* pagesAfter([seen]) : [];
}

function describe({ path, total, next }: Listing, entries: readonly string[]): string {
  const directories = entries.filter((entry) => entry.endsWith("/")).length;
  const kinds = `${plural(directories, "directory", "directories")}, ${plural(entries.length - directories, "file or link", "files or links")}`;
  const seen = entries.length === total ? "" : `, of which I saw ${entries.length}`;
  const head = `\`${path}\` has ${plural(total, "entry", "entries")}${seen}: ${kinds}.`;
  const rest = next ? `There are more; ask me to continue, or call LS with offset=${String(next.params.offset)}.` : "";
  return [head, bullets(entries, 60), rest].filter((part) => part !== "").join("\n\n");
}
