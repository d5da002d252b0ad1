import { beyond, type Beyond } from "./beyond.ts";
import { changeOf, type ChangeTask } from "./change.ts";
import { hasExtension, isWellKnown, parseQuestion, type LineRange, type Question } from "./question.ts";
import { namePattern, stem } from "./words.ts";

/** What the planner takes a question to ask for. */
export type Task =
  | { readonly kind: "about" }
  | { readonly kind: "continue" }
  | { readonly kind: "beyond"; readonly why: Beyond }
  | ChangeTask
  | { readonly kind: "list"; readonly path: string }
  | { readonly kind: "find"; readonly pattern: string; readonly within: string; readonly subject: string }
  | { readonly kind: "read"; readonly path: string; readonly lines: LineRange }
  | { readonly kind: "locate"; readonly symbol: string }
  | { readonly kind: "mention"; readonly name: string; readonly within: string }
  | { readonly kind: "count"; readonly include: string; readonly within: string }
  | { readonly kind: "largest"; readonly include: string; readonly within: string }
  | { readonly kind: "compare"; readonly first: string; readonly second: string }
  | { readonly kind: "recent"; readonly within: string }
  | { readonly kind: "summarise"; readonly path: string }
  | { readonly kind: "count-lines"; readonly path: string }
  | { readonly kind: "explain"; readonly keywords: readonly string[]; readonly guides: boolean };

const ABOUT =
  /^(?:hi|hello|hey|help)\b|\bwhat can you do\b|\bwho are you\b|\bare you (?:an? )?(?:ai|llm|language model|bot)\b/iu;
const CONTINUE = /^(?:(?:and |ok,? )?(?:the )?next(?: page)?|continue|go on|more|keep going|show more)\W*$/iu;
const MENTION =
  /\bfiles?\b.*?\b(?:imports?|uses?|mentions?|contains?|calls?|references?)\s+(?:the\s+)?[`"'“]?([\w$@/-]+(?:\.[\w$]+)*)/iu;
const COMPARE = /\bcompare\b|\bdifferences?\s+between\b/iu;
const RECENT =
  /\b(?:newest|most recent|recently (?:changed|modified|edited|touched)|(?:changed|modified|edited) (?:last|most recently))\b/iu;
const GUIDE = /^how (?:do|can|should|would) (?:i|we|you|one)\b|^how to\b/iu;
const LIST =
  /^(?:ls|list)\b|\bwhat(?:'s|’s| is| are| do we have)(?: there| stored| kept| (?:the |all )?(?:files?|folders?|entries|contents?|stuff|things)(?: are| is)?| files are)? (?:in|inside|under)\b|\b(?:contents?|entries) of\b|\b(?:files|folders|directories)\b.*\b(?:in|inside|under|of)\b/iu;
const COUNT_LINES = /\bhow (?:many lines|many bytes|long|big|large)\b|\bsize of\b/iu;
const PROJECT_SIZE = /\bhow (?:big|large) is (?:this|the) (?:project|repo|repository|codebase|workspace)\b/iu;
const LARGEST =
  /\b(?:largest|biggest|longest|heaviest) (?:[\w.*]+ )?files?\b|\bfile (?:is|has) the (?:largest|biggest|longest|most (?:lines|bytes))\b/iu;
const FIND = /\b(?:find|locate|search|look for|which files?|any files?|how many|list all|(?:is|are) there)\b/iu;
const LOCATE = /\bwhere\b|\bdefin(?:ed|es|ition)\b|\bdeclar(?:ed|es|ation)\b|\bimplement(?:ed|s|ation)\b/iu;
const READ = /\b(?:read|open|cat|print|display|view|show|lines?|say|says|contain|contains)\b/iu;
const SUMMARISE = /\b(?:summari[sz]e|summary|overview|outline|describe|tell me about|what does|what is|explain)\b/iu;
const OPEN = /^(?:please )?(?:read|open|cat|show|view)\s+(?:me\s+)?(?:the\s+)?([\w-]+)\W*$/iu;
const NAMED_FOLDER = /\b(?!the\b|this\b|that\b|a\b|each\b|every\b|which\b)([\w-]+) (?:package|folder|directory)\b/iu;
const WHOLE_PROJECT = /\b(?:project|repo|repository|codebase|workspace)\b/iu;

/** Decides what a question asks for; `subject` is the file that the conversation was last about. */
export function taskOf(text: string, subject?: string): Task {
  const question = parseQuestion(text);
  const target = question.paths[0] ?? (/\b(?:it|that file|this file|the file)\b/iu.test(text) ? subject : undefined);
  if (CONTINUE.test(text.trim())) return { kind: "continue" };
  if (ABOUT.test(text.trim())) return { kind: "about" };
  const change = changeOf(text.trim());
  if (change) return change;
  const why = beyond(text.trim());
  // "Write a summary of …" asks for words, not for a file.
  if (why !== undefined && !((why === "change" || why === "run") && SUMMARISE.test(text)))
    return { kind: "beyond", why };
  const compared = comparison(question);
  if (compared) return compared;
  const mentioned = MENTION.exec(text)?.[1];
  if (mentioned !== undefined && fileKind(question) === undefined) {
    return { kind: "mention", name: mentioned, within: question.paths.find((path) => path !== mentioned) ?? "." };
  }
  if (RECENT.test(text)) return { kind: "recent", within: question.paths[0] ?? question.within ?? "." };
  if (LARGEST.test(text)) return { kind: "largest", ...filesOf(question) };
  const counted = countOf(question);
  if (counted) return counted;
  if (question.patterns[0] !== undefined) return find(question, question.patterns[0]);
  if (target !== undefined) return aboutPath(question, target);
  return aboutNames(question);
}

function comparison({ text, paths }: Question): Task | undefined {
  if (!COMPARE.test(text)) return undefined;
  const [, one, other] =
    /\b(?:compare|between)\s+[`'"]?([\w./-]+?)[`'"]?\s+(?:and|with|to|against)\s+[`'"]?([\w./-]+)/iu.exec(text) ?? [];
  const [first = one, second = other] = paths.length >= 2 ? paths : [];
  if (first === undefined || second === undefined) return undefined;
  return { kind: "compare", first, second: second.replace(/\.$/u, "") };
}

function countOf(question: Question): Task | undefined {
  const { text } = question;
  if (PROJECT_SIZE.test(text)) return { kind: "count", include: "*", within: "." };
  if (!/\bhow many\b/iu.test(text) || COUNT_LINES.test(text)) return undefined;
  const files = filesOf(question);
  return files.include !== "*" || /\bhow many files\b/iu.test(text) ? { kind: "count", ...files } : undefined;
}

/** The kind of files that a question is about, and where. */
function filesOf(question: Question): { readonly include: string; readonly within: string } {
  const within = question.paths.find((path) => !path.includes("*")) ?? question.within ?? ".";
  return { include: fileKind(question) ?? question.patterns[0]?.replace(/^\*\*\//u, "") ?? "*", within };
}

function aboutPath(question: Question, path: string): Task {
  const { text, lines } = question;
  const file = hasExtension(path);
  if (COUNT_LINES.test(text)) return { kind: "count-lines", path };
  if (lines.kind !== "page") return { kind: "read", path, lines };
  if (file && LOCATE.test(text) && question.symbols.length === 0) return find(question, path);
  if (file && /\b(?:find|locate|search for)\b/iu.test(text)) return find(question, path);
  if (isWellKnown(path) && FIND.test(text)) return findNamed(question, path.toLowerCase());
  if (!file && FIND.test(text)) return findByWords(question);
  if (LOCATE.test(text) && question.symbols[0] !== undefined) return { kind: "locate", symbol: question.symbols[0] };
  if (!file && LIST.test(text)) return { kind: "list", path };
  if (SUMMARISE.test(text) && !(file && LIST.test(text))) return { kind: "summarise", path };
  return file || READ.test(text) ? { kind: "read", path, lines } : { kind: "list", path };
}

function aboutNames(question: Question): Task {
  const { text, symbols, within } = question;
  const [symbol] = symbols;
  if (symbol !== undefined && (LOCATE.test(text) || FIND.test(text))) return { kind: "locate", symbol };
  const asksForFiles = FIND.test(text) || LIST.test(text) || /^where are\b/iu.test(text.trim());
  if (fileKind(question) !== undefined && asksForFiles) return findByWords(question);
  if (/\b(?:which|any) files?\b|^find\b|\bfind (?:all|the|me|every)\b/iu.test(text)) return findByWords(question);
  if (SUMMARISE.test(text) && WHOLE_PROJECT.test(text)) return { kind: "summarise", path: "." };
  const [, folder] = NAMED_FOLDER.exec(text) ?? [];
  if (folder !== undefined && SUMMARISE.test(text)) return { kind: "summarise", path: folder };
  const [, opened] = OPEN.exec(text.trim()) ?? [];
  if (opened !== undefined && symbol === undefined) return { kind: "read", path: opened, lines: question.lines };
  if (/^how\b|^why\b|^where\b/iu.test(text.trim())) return explain(question);
  if (LIST.test(text)) return { kind: "list", path: within ?? question.keywords.find((word) => word !== "ls") ?? "." };
  if (symbol !== undefined) return { kind: "locate", symbol };
  return explain(question);
}

/** The rules are for English; a question in another script gets an explanation instead of a wild search. */
function explain({ text, keywords }: Question): Task {
  if (keywords.length === 0 || /\p{Script=Han}|\p{Script=Cyrillic}|\p{Script=Hangul}/u.test(text))
    return { kind: "about" };
  return { kind: "explain", keywords, guides: GUIDE.test(text.trim()) };
}

function findNamed({ within = "." }: Question, name: string): Task {
  return { kind: "find", pattern: namePattern(name), within, subject: name };
}

function find(question: Question, pattern: string): Task {
  const anywhere = pattern.includes("/") ? pattern : `**/${pattern}`;
  const within = question.within === undefined || question.within === pattern ? "." : question.within;
  return { kind: "find", pattern: anywhere, within, subject: pattern };
}

const TESTS = "*.{test,spec}.*";
const FILE_KINDS: readonly (readonly [RegExp, string])[] = [
  [/\btypescript\b|\bts files?\b/iu, "*.{ts,tsx,mts,cts}"],
  [/\bjavascript\b|\bjs files?\b/iu, "*.{js,jsx,mjs,cjs}"],
  [/\bmarkdown\b|\bmd files?\b|\bdocumentation\b|\bdocs\b/iu, "*.md"],
  [/\bjson\b/iu, "*.json"],
  [/\bya?ml\b/iu, "*.{yml,yaml}"],
  [/\bpython\b/iu, "*.py"],
  [/\brust\b/iu, "*.rs"],
  [/\bgo files?\b|\bgolang\b/iu, "*.go"],
  [/\bcss\b/iu, "*.css"],
  [/\btests?\b|\bspecs?\b/iu, TESTS],
];

/** The kind of files that the words name, apart from the directory that they are to be in: "docs" may be either. */
function fileKind({ text, within = "" }: Question): string | undefined {
  const words = text.replace(within, "");
  return FILE_KINDS.find(([wording]) => wording.test(words))?.[1];
}

function findByWords(question: Question): Task {
  const within = question.paths[0] ?? question.within ?? ".";
  const kind = fileKind(question);
  const tested = /\b(?:tests?|specs?) (?:for|of) (?:the )?(\w{4,})/iu.exec(question.text)?.[1];
  if (kind === TESTS && tested !== undefined) {
    const pattern = namePattern(stem(tested.toLowerCase())) + TESTS.slice(1);
    return { kind: "find", pattern, within, subject: tested };
  }
  if (kind !== undefined) return { kind: "find", pattern: `**/${kind}`, within, subject: kind };
  const words = question.keywords.filter((word) => word !== within && !/^(?:named|called|search)$/u.test(word));
  const subject = words[0];
  if (subject === undefined) return { kind: "list", path: within };
  return { kind: "find", pattern: namePattern(stem(subject)), within, subject };
}
