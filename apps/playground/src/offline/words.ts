const STOP_WORDS =
  /^(?:about|after|all|also|and|any|are|because|been|but|can|code|could|deci\w+|did|does|each|every|explain|files?|find|first|for|from|gets?|give|had|has|have|here|how|into|its|know|let|like|lines?|list|look|makes?|many|more|most|need|new|not|now|off|one|only|other|our|out|please|project|put|repo|say|see|set|should|show|some|take|tell|than|that|the|their|them|then|there|these|they|things?|this|those|through|too|under|uses?|used|using|want|was|way|what|when|where|which|who|why|will|with|work\w*|would|you|your)$/u;

/** The words that carry a question's subject, without their endings, so that "truncator" and "truncates" meet. */
export function stems(question: string): string[] {
  const words = question.replaceAll(/([a-z\d])([A-Z])/gu, "$1 $2").toLowerCase();
  const telling = words.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2 && !STOP_WORDS.test(word));
  return [...new Set(telling.map((word) => word.replace(/(?<=.{4})(?:ion|ing|ie|er|or|e|y)?(?:s|d)?$/u, "")))];
}

/** A text as a regular expression for itself. */
export const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/gu, String.raw`\$&`);

/** A regular expression for a name where it is a whole word. */
export const wholeWord = (name: string) => String.raw`\b${escaped(name)}\b`;

/** Without the quotes around it, or the brackets of a call behind it. */
export const unquoted = (text: string) =>
  /^["'`“](.*)["'`”]$/su.exec(text)?.[1] ?? text.replace(/(?<=\w)\(\)$|[.,;]$/u, "");

/** Looks like the path of a file or directory. */
export const isPath = (text: string) =>
  /^[\w@.()[\]-]*\/[\w@./()[\]-]*$|^[\w@-][\w@.-]*\.[a-z]\w{0,7}$|^\.$/u.test(text);

/** What looks like a name in code: `camelCase`, `snake_case`, `CAPITALS`, or what is quoted. */
export function namesIn(question: string): string[] {
  const quoted = /(?<=[`"“])[\w$.]+(?=(?:\(\))?[`"”])/gu;
  const bare = /(?<![\w/.])(?:[A-Za-z]+[a-z][A-Z]\w*|[A-Z]{3}[A-Z\d_]*|\w+_\w+|\w+(?=\(\)))(?![\w/])/gu;
  return [...new Set([...(question.match(quoted) ?? []), ...(question.match(bare) ?? [])])];
}

const KINDS = new Map([
  ...Object.entries({ typescript: "*.{ts,tsx,mts,cts}", javascript: "*.{js,jsx,mjs,cjs}", markdown: "*.md" }),
  ...Object.entries({ test: "*.{test,spec}.*", image: "*.{png,jpg,jpeg,gif,webp,svg}", python: "*.py" }),
]);

/** A glob for files of a kind: "TypeScript", "md", "*.ts", "all". */
export function globFor(kind: string): string {
  if (/[*{[]/u.test(kind)) return unquoted(kind);
  const name = unquoted(kind.toLowerCase()).replaceAll(/^\.|(?<=\w{3})s$/gu, "");
  return /^(?:|all|any|the|of|file)$/u.test(name) ? "*" : (KINDS.get(name) ?? `*.${name}`);
}

const POLITE =
  /^(?:please|hey|hi|hello|ok|so|now|(?:can|could|would|will) you|i(?:'d| would)? (?:want you|like (?:you )?)to|just|i'm new here)\b[\s,.!]+/iu;
const PLACE =
  /^(.+?)\s+(?:in|inside|under|of|from|for|by)\s+(?:the\s+)?(\S+)(?:\s+(?:folder|directory|package|project))?$/isu;
const VERB = /^\w+\s+(?:(?:an?|new|the|function|class|variable|file|folder|called|named|every|all)\s+)*/iu;

/** A question taken apart: without what is said to be polite; "change {object} to {target} in {where}". */
export function partsOf(question: string) {
  let text = question.trim().replace(/(?:[\s,]+(?:please|thanks|for me))*[\s.?!]*$/iu, "");
  while (POLITE.test(text)) text = text.replace(POLITE, "");
  const [, head = text, place = ""] = PLACE.exec(text) ?? [];
  const [object = "", ...target] = head.replace(VERB, "").split(/\s+(?:to|into|as|with|by|saying|that says)\s+/u);
  const where = isVague(unquoted(place)) ? "." : unquoted(place);
  return { text, object: unquoted(object), target: unquoted(target.join(" ")), where };
}

/** A question taken apart. */
export type Parts = ReturnType<typeof partsOf>;

/** Names no place in particular. */
export const isVague = (place: string) =>
  /^(?:|it|here|all|this|there|total|general|we|files?|project|repo\w*|codebase)$/iu.test(place);
