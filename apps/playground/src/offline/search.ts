import { look, type Call, type Investigation } from "./investigation.ts";
import { rankPaths, TEXT_FILES } from "./rank.ts";
import type { Page, Observation } from "./observation.ts";
import { pathsFromSpill } from "./spill.ts";
import { directoryPattern, namePattern } from "./words.ts";

/** What a search by reading is after. */
export interface Search {
  /** What is searched for, in words. */
  readonly subject: string;
  /** A pattern of files to read before any other. */
  readonly firstLook?: string | undefined;
  /** Parts of file names that are worth looking at first. */
  readonly stems: readonly string[];
  /** How many times to read on among files that only might hold it. */
  readonly patience: number;
  /** Says whether what was read so far will do. */
  readonly enough: (pages: readonly Page[]) => boolean;
  /** Paths that what was read points to; they come next. */
  readonly leads?: (pages: readonly Page[]) => readonly string[];
}

const MAX_NAME_SEARCHES = 4;
const FILES_PER_LOOK = 4;
const LOOKS_BY_NAME = 3;
const LINES_PER_READ = 400;

/**
 * There is no tool that searches inside files, so the planner goes by names first, then reads what looks promising,
 * follows references and next pages, and at last takes any text file, within bounds. Returns every page that it read.
 */
export function* searchByReading(search: Search): Investigation<readonly Page[]> {
  let pages = search.firstLook === undefined ? [] : yield* readFirst(search, search.firstLook);
  if (!search.enough(pages)) pages = yield* readAll(search, yield* candidates(search), LOOKS_BY_NAME, pages);
  for (const pattern of TEXT_FILES) {
    if (search.enough(pages)) break;
    const others = yield* filesMatching(
      pattern,
      `That does not settle it, so I look for ${search.subject} in other files.`,
    );
    pages = yield* readAll(search, rankPaths(others, search.stems), search.patience, pages);
  }
  return pages;
}

function* readFirst(search: Search, pattern: string): Investigation<readonly Page[]> {
  const paths = yield* filesMatching(pattern, `The project's own guides may tell about ${search.subject}.`);
  return yield* readAll(search, paths, 1);
}

function* filesMatching(pattern: string, say: string): Investigation<readonly string[]> {
  const seen = yield* look(say, "Glob", { pattern, limit: 200 });
  if (seen?.kind === "clipped") return (yield* pathsFromSpill(seen)) ?? [];
  return seen?.kind === "paths" ? seen.paths : [];
}

function* candidates({ stems, subject }: Search): Investigation<readonly string[]> {
  const parts = stems.slice(0, MAX_NAME_SEARCHES);
  const named = yield* globAll(parts.map(namePattern), `I look for files named after ${subject}.`);
  const placed =
    named.length >= FILES_PER_LOOK
      ? []
      : yield* globAll(parts.map(directoryPattern), "Few files have such a name; I try the names of directories.");
  return rankPaths([...named, ...placed], stems).slice(0, 2 * FILES_PER_LOOK);
}

function* globAll(patterns: readonly string[], say: string): Investigation<readonly string[]> {
  if (patterns.length === 0) return [];
  const seen = yield { say, calls: patterns.map((pattern): Call => ({ tool: "Glob", params: { pattern } })) };
  return seen.flatMap((observation) => (observation.kind === "paths" ? observation.paths : []));
}

function* readAll(
  search: Search,
  paths: readonly string[],
  maxLooks: number,
  before: readonly Page[] = [],
): Investigation<readonly Page[]> {
  const pages = [...before];
  const opened = new Set(pages.map((page) => page.path));
  const ended = new Set<Call>();
  for (let looks = 0; looks < maxLooks && !search.enough(pages); looks++) {
    const calls = nextReads(search, paths, pages, opened, ended);
    if (calls.length === 0) break;
    const seen: readonly Observation[] = yield { say: readingWords(calls), calls };
    if (seen.length === 0) break;
    pages.push(...seen.filter((observation) => observation.kind === "page"));
  }
  return pages;
}

/** Leads come first, then unread candidates, then further pages of what was begun. */
function nextReads(
  search: Search,
  paths: readonly string[],
  pages: readonly Page[],
  opened: Set<string>,
  followed: Set<Call>,
): Call[] {
  const wanted = [...(search.leads?.(pages) ?? []), ...paths].filter((path) => !opened.has(path));
  const fresh = [...new Set(wanted)].slice(0, FILES_PER_LOOK);
  for (const path of fresh) opened.add(path);
  const more = pages.flatMap((page) => (page.next && !followed.has(page.next) ? [page.next] : []));
  const onward = more.slice(0, Math.max(0, FILES_PER_LOOK - fresh.length));
  for (const call of onward) followed.add(call);
  return [...fresh.map((path): Call => ({ tool: "Read", params: { path, limit: LINES_PER_READ } })), ...onward];
}

function readingWords(calls: readonly Call[]): string {
  const names = [...new Set(calls.map((call) => `'${String(call.params.path)}'`))];
  return `I read ${names.join(", ")}.`;
}
