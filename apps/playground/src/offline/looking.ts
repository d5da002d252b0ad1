import type { Envelope, Match, Params } from "../envelope.ts";
import type { Plan } from "./plan.ts";
import { bullets, codes, place, plural, quote, show, type Seen } from "./seen.ts";
import { globFor, isPath, namesIn, stems, unquoted, wholeWord } from "./words.ts";

/** Makes one call of Grep. */
export function* grep(say: string, path: string, params: Params): Plan<Seen> {
  return yield { say, tool: "Grep", params: { ...params, ...(path === "." ? {} : { path }) } };
}

/** What is in a directory; in the order of size or time on demand. */
export function* list(path: string, sort?: "size" | "modified"): Plan {
  const order = { size: "Largest first: ", modified: "Newest first: ", name: "" }[sort ?? "name"];
  return order + show(yield { say: `I list '${path}'.`, tool: "LS", params: { path, ...(sort && { sort }) } });
}

/** A file, or some of its lines: "lines 3 to 5 of x" or "x, lines 3-5". */
export function* read(path: string, lines: Readonly<Record<string, string | undefined>>): Plan {
  const first = Number(lines.from ?? lines.first ?? 1);
  const last = Number(lines.until ?? lines.last ?? lines.from ?? lines.first ?? 100);
  const params = { path, ...(first > 1 && { start_line: first }), limit: last - first + 1 };
  return show(yield { say: `I read '${path}'.`, tool: "Read", params });
}

/** The lines around a place. */
function* passage({ file, line }: Match): Plan {
  const params = { path: file, start_line: Math.max(1, line - 3), limit: 16 };
  return quote(yield { say: `I read '${file}' there.`, tool: "Read", params });
}

/** The next page of the last answer that has one. */
export function* goOn(earlier: readonly (Envelope | undefined)[]): Plan {
  const next = earlier.findLast((answer) => answer?.context.next_call)?.context.next_call;
  if (!next) return "There is nothing to continue: the last answer was complete.";
  return show(yield { say: "I make the call that the last answer names.", ...next });
}

/** A file that goes by a name: "the README of the grep package". */
export function* readNamed(name: string, where: string): Plan {
  const pattern = `${inFolder(where)}{${name},${name.toUpperCase()},${name.toLowerCase()}}*`;
  const found = yield { say: `I look for '${pattern}'.`, tool: "Glob", params: { pattern, limit: 1 } };
  return found.paths[0] === undefined ? show(found) : yield* read(found.paths[0], { until: "40" });
}

/** A glob's beginning for what is in a folder of this name, such as that of a package. */
const inFolder = (name: string) => (name === "." ? "" : `**/${name}/`);

/** Files of a kind. */
export function* find(kind: string, path: string): Plan {
  const pattern = globFor(kind).replace(/^(?!.*\/)/u, "**/");
  return show(yield { say: `I look for '${pattern}'.`, tool: "Glob", params: { pattern, path } });
}

/** The largest files or packages by lines, which Grep counts, as every line has a beginning. */
export function* largest(question: string, where: string): Plan {
  const [what = "file"] = /package|folder/iu.exec(question) ?? [];
  if (what === "file" && where !== ".") return yield* list(where, "size");
  const root = what === "package" && where === "." ? "packages" : where;
  const depth = what === "file" ? undefined : root === "." ? 1 : root.split("/").length + 1;
  const params = { pattern: "^", include: what === "file" ? "*" : "*/src/**", output_mode: "count", limit: 200 };
  const sums = new Map<string, number>();
  let seen = yield* grep("I let Grep count the lines of each file.", root, params);
  for (let page = 2; ; page++) {
    for (const { file, count } of seen.matches) {
      const name = file.split("/").slice(0, depth).join("/");
      sums.set(name, (sums.get(name) ?? 0) + count);
    }
    if (!seen.next || page > 4) break;
    seen = yield { say: "There are more; the answer names the call.", ...seen.next };
  }
  const ranked = [...sums].sort(([, a], [, b]) => b - a).slice(0, 5);
  const rows = ranked.map(([name, lines]) => `\`${name}\` ${plural(lines, "line")}`);
  return `By lines, \`${ranked[0]?.[0] ?? "nothing"}\` is the biggest${seen.next ? " so far" : ""}:\n\n${bullets(rows)}`;
}

/** Every line that has what is asked for, if that is clear: names, or single words. */
export function searchFor(question: string, rest: string, where: string): Plan | false {
  const names = namesIn(question);
  const words = names.length > 0 ? names : rest.split(/\s+or\s+|\s+and\s+/u).map(unquoted);
  return !words.some((word) => /^$|\s/u.test(word)) && search(words, where, names.length > 0);
}

function* search(words: readonly string[], path: string, isName: boolean): Plan {
  const params = { pattern: words.map(wholeWord).join("|"), case_sensitive: isName, limit: 50 };
  return show(yield* grep(`I search for ${codes(words).join(" or ")}.`, path, params));
}

/** Where a name is defined, with the lines there. */
export function* locate(question: string): Plan {
  const name = /(\w+)[`"']? (?:defined|declared)/iu.exec(question)?.[1] ?? namesIn(question)[0] ?? "";
  const kinds = String.raw`\b(?:function|class|interface|type|enum|const|let|var|def|fn|func|struct)\*?\s+`;
  const params = { pattern: kinds + wholeWord(name), case_sensitive: true, limit: 10 };
  const { matches } = yield* grep(`I search for a definition of \`${name}\`.`, ".", params);
  const [first, ...others] = matches.toSorted((a, b) => Number(isTest(a.file)) - Number(isTest(b.file)));
  if (!first) return yield* search([name], ".", true);
  const page = yield* passage(first);
  return `\`${name}\` is defined at ${place(first.file, first.line)}:\n\n${page}${also(others)}`;
}

/** What a file or folder exports. */
export function* exportsOf(question: string, where: string): Plan {
  const [, name = where] = /\bdoes (?:the )?(\S+)/iu.exec(question) ?? [];
  const kinds = question.includes("function") ? "function" : "(?:function|const|class|enum|type|interface)";
  const params = { pattern: String.raw`^export (?:default |async )*${kinds}\*? \w+`, case_sensitive: true };
  const [path, include] = isPath(name) ? [name, "*"] : [".", `${inFolder(name)}**`];
  return show(yield* grep(`I search '${name}' for exports.`, path, { ...params, include }));
}

/** The passages that fit a question best, quoted. */
export function* explain(question: string): Plan {
  const parts = stems(question);
  const said = parts.map((part) => `'${part}'`).join(", ");
  if (said === "") return "I found no word in your question to search for.";
  const pairs = parts.flatMap((part) => parts.flatMap((other) => (part === other ? [] : `${part}.*${other}`)));
  let matches: readonly Match[] = [];
  for (const words of [pairs, parts]) {
    if (matches.length > 0 || words.length === 0) continue;
    const params = { pattern: words.join("|"), include: "*.{ts,tsx,js,py,go,rs,md,txt}", limit: 60 };
    ({ matches } = yield* grep(`I search for lines about ${said}.`, ".", params));
  }
  const [best, second, ...others] = bestPlaces(matches, parts);
  if (!best) return `I found nothing about ${said} in this project, and I can look nowhere else.`;
  const page = yield* passage(best);
  const more = second ? `\n\nAnd there is\n\n${yield* passage(second)}${also(others)}` : "";
  return `Of what Grep found, \`${best.file}\` fits best:\n\n${page}${more}`;
}

/** The best line of each file, best first: where the most of the words are close together. */
function bestPlaces(matches: readonly Match[], parts: readonly string[]): readonly Match[] {
  const held = (text: string) => parts.filter((part) => text.toLowerCase().includes(part)).length;
  const scoreOf = ({ file, line, text }: Match) => {
    const near = matches.filter((other) => other.file === file && other.line >= line && other.line < line + 14);
    const telling = /^\s*(?:export|function|class|\/\*\*|#)/u.test(text) ? 1.3 : /^\s*import\b/u.test(text) ? 0.5 : 1;
    const words = held(near.map((other) => other.text).join(" ")) + held(file) + near.length / 6;
    return words * telling * (isTest(file) ? 0.3 : 1);
  };
  const ranked = matches.map((match) => ({ match, score: scoreOf(match) })).sort((a, b) => b.score - a.score);
  const firsts = ranked.filter(({ match }, at) => ranked.findIndex((other) => other.match.file === match.file) === at);
  return firsts.map(({ match }) => match);
}

function also(others: readonly Match[]): string {
  const places = others.slice(0, 3).map(({ file, line }) => place(file, line));
  return places.length === 0 ? "" : `\n\nSee also ${places.join(", ")}.`;
}

const isTest = (file: string) =>
  /(?:^|\/)(?:tests?|checks|tooling|decisions)\/|\.(?:test|spec)\.|transcript|CHANGELOG/u.test(file);
