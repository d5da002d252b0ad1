import { bestPassages, windowOf, type Passage } from "../evidence/passages.ts";
import { plural, quote, reference } from "../evidence/quote.ts";
import { rankFiles, TEXT_FILES } from "../evidence/rank.ts";
import { look, type Call, type Investigation } from "../investigation.ts";
import type { Match, Page } from "../observation.ts";
import { besideInLine, pathsNamedAfter, stem, wordPattern } from "../question/words.ts";

/** What an open question is about. */
export interface Topic {
  readonly keywords: readonly string[];
  /** True for "how do I …", which the project's own guides may answer. */
  readonly guides: boolean;
}

const GUIDES = "{README,CONTRIBUTING}*";
const MAX_NAMED = 3;
const FILES_PER_SEARCH = 25;
const CANDIDATES = 2;
const LINES_PER_FILE = 30;
const LINES_PER_READ = 26;

/** Answers an open question: Grep finds the files and the lines, and Read shows the best passage of at most two. */
export function* explain({ keywords, guides }: Topic): Investigation<string> {
  const stems = [...new Set(keywords.map(stem))];
  const files = yield* likelyFiles(stems, keywords, guides);
  if (files.length === 0) {
    return `I searched for ${words(keywords)} and found no file that holds ${keywords.length > 1 ? "them together" : "it"}. If it is not about this project, it is beyond me: I can only look into its files.`;
  }
  const passages = yield* passagesIn(files.slice(0, CANDIDATES), stems);
  const [best, second] = passages;
  if (!best) return `I found nothing about ${words(keywords)}.`;
  const pages = yield* readPassages(second && second.score > best.score * 0.8 ? [best, second] : [best]);
  return describe({ best, others: passages.slice(1), pages, keywords, searched: files.length });
}

/** Files that are named after one of the words and hold another, and files that hold two of them in one line. */
function* likelyFiles(stems: readonly string[], keywords: readonly string[], guides: boolean): Investigation<string[]> {
  const named = stems.slice(0, MAX_NAMED).map((part): Call => {
    const others = stems.filter((other) => other !== part);
    const pattern = wordPattern(others.length === 0 ? [part] : others);
    return countCall({ pattern, include: guides ? GUIDES : pathsNamedAfter(part) });
  });
  const together = countCall({ pattern: besideInLine(stems), include: TEXT_FILES });
  const seen = yield { say: `I search for lines about ${words(keywords)}.`, calls: [...named, together] };
  const found = seen.flatMap((one) => (one.kind === "matches" ? one.matches : []));
  const ranked = rankFiles(found, stems, guides);
  if (ranked.length > 0) return ranked;
  const any = yield* look(`No line has two of these words, so I search for any of them.`, "Grep", {
    ...countCall({ pattern: wordPattern(stems), include: TEXT_FILES }).params,
  });
  return any?.kind === "matches" ? rankFiles(any.matches, stems, guides) : [];
}

function countCall(params: { readonly pattern: string; readonly include: string }): Call {
  return { tool: "Grep", params: { ...params, output_mode: "count", limit: FILES_PER_SEARCH } };
}

function* passagesIn(files: readonly string[], stems: readonly string[]): Investigation<Passage[]> {
  const calls = files.map((path): Call => ({
    tool: "Grep",
    params: { pattern: wordPattern(stems), path, limit: LINES_PER_FILE },
  }));
  const say = `${files.map((file) => `'${file}'`).join(" and ")} may tell; I look at the lines that have these words.`;
  const seen = yield { say, calls };
  const matches = seen.flatMap((one): readonly Match[] => (one.kind === "matches" ? one.matches : []));
  return bestPassages(matches, stems);
}

function* readPassages(passages: readonly Passage[]): Investigation<readonly Page[]> {
  const calls = passages.map(({ path, from }): Call => ({
    tool: "Read",
    params: { path, start_line: from, limit: LINES_PER_READ },
  }));
  const say = `I read ${passages.map(({ path, from }) => `'${path}' from line ${from}`).join(" and ")}.`;
  const seen = yield { say, calls };
  return seen.filter((one) => one.kind === "page");
}

interface Answer {
  readonly best: Passage;
  readonly others: readonly Passage[];
  readonly pages: readonly Page[];
  readonly keywords: readonly string[];
  readonly searched: number;
}

function describe({ best, others, pages, keywords, searched }: Answer): string {
  const page = pages.find(({ path }) => path === best.path);
  const head = `Of ${plural(searched, "file")} that Grep found for ${words(keywords)}, \`${best.path}\` fits best:`;
  const second = pages.find(({ path }) => path !== best.path);
  const also = [
    ...(second ? [reference(second.path, windowOf(second.lines))] : []),
    ...others.filter(({ path }) => path !== second?.path).map(({ path, hits }) => reference(path, hits.slice(0, 1))),
  ];
  const body = quote(best.path, page ? windowOf(page.lines) : best.hits);
  return [head, body, also.length === 0 ? "" : `See also ${also.join(", ")}.`]
    .filter((part) => part !== "")
    .join("\n\n");
}

function words(keywords: readonly string[]): string {
  return keywords.map((word) => `'${word}'`).join(", ");
}
