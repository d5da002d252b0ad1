import { bestPassages, type Passage } from "./evidence.ts";
import type { Investigation } from "./investigation.ts";
import { plural, quote, reference } from "./quote.ts";
import { kindWeight } from "./rank.ts";
import { searchByReading } from "./search.ts";
import type { Page } from "./observation.ts";
import { holds, stem } from "./words.ts";

/** Answers an open question by quoting the passages that hold most of its words; with `guides`, from the project's own guides first. */
export function* explain(keywords: readonly string[], guides: boolean): Investigation<string> {
  const stems = [...new Set(keywords.map(stem))];
  const passagesIn = (pages: readonly Page[]) => bestPassages(pages, stems, (path) => relevance(path, stems, guides));
  const pages = yield* searchByReading({
    subject: keywords.map((word) => `'${word}'`).join(", "),
    stems,
    firstLook: guides ? GUIDES : undefined,
    patience: 2,
    enough: (seen) => covers(passagesIn(seen)[0], stems),
  });
  const [best, ...others] = passagesIn(pages);
  const files = new Set(pages.map((page) => page.path)).size;
  if (!best) return `I read ${plural(files, "file")} and found nothing about ${keywords.join(", ")}.`;
  return describe(best, others, { keywords, stems, files });
}

const GUIDES = "{README,CONTRIBUTING}*";

/** A file whose name holds a word of the question is more likely to be about it; so is a guide, where one was asked for. */
function relevance(path: string, stems: readonly string[], guides: boolean): number {
  const named = stems.filter((part) => holds(path.toLowerCase(), part)).length;
  const guide = guides && /(?:^|\/)(?:README|CONTRIBUTING)/u.test(path) ? 3 : 1;
  return kindWeight(path) * (1 + named) * guide;
}

/** At least two thirds of the question's words in one file, or in its name. */
function covers(passage: Passage | undefined, stems: readonly string[]): boolean {
  if (!passage) return false;
  const held = stems.filter((part) => passage.fileStems.includes(part) || holds(passage.path.toLowerCase(), part));
  return held.length >= Math.ceil((stems.length * 2) / 3);
}

interface Asked {
  readonly keywords: readonly string[];
  readonly stems: readonly string[];
  readonly files: number;
}

function describe(best: Passage, others: readonly Passage[], { keywords, stems, files }: Asked): string {
  const held = keywords.filter((_, at) => best.stems.includes(stems[at] ?? ""));
  const words = held.length === 0 ? "" : ` (it has ${held.map((word) => `'${word}'`).join(", ")})`;
  const head = `Of the ${plural(files, "file")} I read, \`${best.path}\` fits best${words}:`;
  const near = others.filter((passage) => passage.score > best.score / 3).slice(0, 3);
  const also = near.length === 0 ? "" : `See also ${near.map(({ path, lines }) => reference(path, lines)).join(", ")}.`;
  return [head, quote(best.path, best.lines), also].filter((part) => part !== "").join("\n\n");
}
