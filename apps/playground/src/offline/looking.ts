import type { Envelope } from "../envelope.ts";
import type { Params } from "../params.ts";
import type { Plan } from "./plan.ts";
import { bullets, codes, place, plural, quote, show, type Match, type Seen } from "./seen.ts";
import { globFor, isPath, namesIn, stems, wholeWord } from "./words.ts";

/** Makes one call of Grep. */
export function* grep(say: string, path: string, params: Params): Plan<Seen> {
  return yield { say, tool: "Grep", params: { ...params, ...(path === "." ? {} : { path }) } };
}

/** What is in a directory. */
export function* list(path: string): Plan {
  return show(yield { say: `I list '${path}'.`, tool: "LS", params: { path } });
}

/** A file, or some of its lines. */
export function* read(path: string, first = 1, last = first + 99): Plan {
  const params = { path, ...(first > 1 ? { start_line: first } : {}), limit: last - first + 1 };
  return show(yield { say: `I read '${path}'.`, tool: "Read", params });
}

/** The lines around a place. */
function* passage({ file, line }: Match, above: number): Plan {
  const params = { path: file, start_line: Math.max(1, line - above), limit: 16 };
  return quote(file, (yield { say: `I read '${file}' there.`, tool: "Read", params }).lines);
}

/** The next page of the last answer that has one. */
export function* goOn(earlier: readonly (Envelope | undefined)[]): Plan {
  const next = earlier.findLast((answer) => answer?.context.next_call)?.context.next_call;
  if (!next) return "There is nothing to continue: the last answer was complete.";
  return show(yield { say: "I make the call that the last answer names.", ...next });
}

/** The directory that goes by a name, such as that of a package. */
function* folderOf(name: string): Plan {
  if (name.includes("/") || name === ".") return name;
  const params = { pattern: `{${name}/*,**/${name}/package.json,**/${name}/*}`, limit: 1 };
  const [path = name] = (yield { say: `I look for a folder called '${name}'.`, tool: "Glob", params }).paths;
  return path.replace(/(?<=.)\/[^/]*$/u, "");
}

/** A file that goes by a name: "the README of the grep package". */
export function* readNamed(name: string, where: string): Plan {
  const path = yield* folderOf(where);
  const params = { pattern: `{${name},${name.toUpperCase()},${name.toLowerCase()}}*`, path, limit: 1 };
  const found = yield { say: `I look for '${name}' in '${path}'.`, tool: "Glob", params };
  return found.paths[0] === undefined ? show(found) : yield* read(found.paths[0], 1, 40);
}

/** Files of a kind. */
export function* find(kind: string, path: string): Plan {
  const pattern = globFor(kind).replace(/^(?!.*\/)/u, "**/");
  return show(yield { say: `I look for '${pattern}'.`, tool: "Glob", params: { pattern, path } });
}

/** How many files of a kind there are: a search for nothing tells how many it went through, and lists none. */
export function* count(kind: string, path: string): Plan {
  const include = globFor(kind);
  const say = `I let Grep search all \`${include}\` files for nothing: it tells how many there are.`;
  const { stats } = yield* grep(say, path, { pattern: String.raw`\b\B`, include, output_mode: "count" });
  return `${plural(Number(stats.files_searched), "file")} of the kind \`${include}\`, hidden and ignored ones not counted.`;
}

/** The largest files or folders by lines, which Grep counts, as every line has a beginning. */
export function* largest(what: string, where: string): Plan {
  const root = what === "package" && where === "." ? "packages" : where;
  const folder = what === "file" ? /.*/u : new RegExp(`^${root === "." ? "" : `${root}/`}[^/]*`, "u");
  const params = { pattern: "^", include: what === "file" ? "*" : "*/src/**", output_mode: "count", limit: 200 };
  let seen = yield* grep("I let Grep count the lines of each file.", root, params);
  const matches = [...seen.matches];
  for (let page = 1; seen.next && page < 4; page++) {
    seen = yield { say: "There are more; the answer names the call.", ...seen.next };
    matches.push(...seen.matches);
  }
  const sums = new Map<string, number>();
  for (const { file, count: lines } of matches) {
    const name = folder.exec(file)?.[0] ?? file;
    sums.set(name, (sums.get(name) ?? 0) + lines);
  }
  const ranked = [...sums].sort(([, a], [, b]) => b - a).slice(0, 5);
  const part = seen.next ? `, of the first ${plural(matches.length, "file")}` : "";
  const rows = ranked.map(([name, lines]) => `\`${name}\` ${plural(lines, "line")}`);
  return `By lines, \`${ranked[0]?.[0] ?? "nothing"}\` is the biggest${part}:\n\n${bullets(rows)}`;
}

/** The files that changed last: Grep can sort by time. */
export function* newest(path: string): Plan {
  const params = { pattern: "^", output_mode: "files", sort: "modified", limit: 10 };
  const { matches } = yield* grep("I let Grep list files, the newest first.", path, params);
  return `Changed last, newest first:\n\n${bullets(codes(matches.map(({ file }) => file)))}`;
}

/** Every line that has one of some words. */
export function* search(words: readonly string[], path: string): Plan {
  const isName = namesIn(words.join(" ")).length > 0;
  const params = { pattern: words.map(wholeWord).join("|"), case_sensitive: isName, limit: 50 };
  return show(yield* grep(`I search for ${codes(words).join(" or ")}.`, path, params));
}

/** Where a name is defined, with the lines there. */
export function* locate(name: string): Plan {
  const kinds = String.raw`\b(?:function|class|interface|type|enum|const|let|var|def|fn|func|struct)\*?\s+`;
  const params = { pattern: kinds + wholeWord(name), case_sensitive: true, limit: 10 };
  const { matches } = yield* grep(`I search for a definition of \`${name}\`.`, ".", params);
  const [first, ...others] = matches.toSorted((a, b) => Number(isTest(a.file)) - Number(isTest(b.file)));
  if (!first) return yield* search([name], ".");
  const page = yield* passage(first, 2);
  return `\`${name}\` is defined at ${place(first.file, first.line)}:\n\n${page}${also(others)}`;
}

/** What a file or folder exports. */
export function* exportsOf(name: string, kind: string): Plan {
  const path = isPath(name) ? name : yield* folderOf(name);
  const kinds = kind.includes("function") ? "function" : "(?:function|const|class|enum|type|interface)";
  const pattern = String.raw`^export (?:default |async )*${kinds}\*? \w+`;
  const { matches } = yield* grep(`I search '${path}' for exports.`, path, { pattern, case_sensitive: true });
  const rows = matches.flatMap(({ file, line, text }) => {
    const name = new RegExp(pattern, "u").exec(text)?.[0].split(" ").at(-1);
    return name === undefined || isTest(file) ? [] : [`\`${name}\` ${place(file, line)}`];
  });
  return `I found ${plural(rows.length, "export")} in \`${path}\`:\n\n${bullets(rows)}`;
}

/** The passage that fits a question best, quoted. */
export function* explain(question: string): Plan {
  const parts = stems(question);
  const said = parts.map((part) => `'${part}'`).join(", ");
  if (said === "") return "I found no word in your question to search for.";
  const pairs = parts.flatMap((part) => parts.flatMap((other) => (part === other ? [] : `${part}.*${other}`)));
  const params = {
    pattern: (pairs[0] ? pairs : parts).join("|"),
    include: "*.{ts,tsx,js,py,go,rs,md,txt}",
    limit: 60,
  };
  let { matches } = yield* grep(`I search for lines about ${said}.`, ".", params);
  if (matches.length === 0)
    ({ matches } = yield* grep("I search for any of these words.", ".", { ...params, pattern: parts.join("|") }));
  const [best, second, ...others] = bestPlaces(matches, parts);
  if (!best) return `I found nothing about ${said} in this project, and I can look nowhere else.`;
  const page = yield* passage(best, 3);
  if (!second) return `\`${best.file}\` fits best:\n\n${page}`;
  return `Of what Grep found, \`${best.file}\` fits best:\n\n${page}\n\nAnd there is\n\n${yield* passage(second, 3)}${also(others)}`;
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
  const scores = new Map(matches.map((match) => [match, scoreOf(match)]));
  const ranked = matches.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
  return ranked.filter(({ file }, index) => ranked.findIndex((other) => other.file === file) === index);
}

const also = (others: readonly Match[]) =>
  others.length === 0
    ? ""
    : `\n\nSee also ${others
        .slice(0, 3)
        .map(({ file, line }) => place(file, line))
        .join(", ")}.`;

const isTest = (file: string) =>
  /(?:^|\/)(?:tests?|checks|tooling|decisions)\/|\.(?:test|spec)\.|transcript|CHANGELOG/u.test(file);
