import { quote, reference } from "../evidence/quote.ts";
import { kindWeight } from "../evidence/rank.ts";
import type { Call, Investigation } from "../investigation.ts";
import type { Line, Match } from "../observation.ts";
import { escaped } from "../question/words.ts";

const KEYWORDS = "function|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|module|namespace|macro|sub";
const AROUND = 10;
const MAX_DEFINITIONS = 5;
const MAX_MENTIONS = 40;
const MAX_SHOWN = 5;

/** Finds where a name is defined, and where else it is used. */
export function* locate(symbol: string): Investigation<string> {
  const name = escaped(symbol);
  const definition = String.raw`\b(?:${KEYWORDS})\*?\s+(?:\([^)]*\)\s*)?${name}(?:[^\w$]|$)`;
  const exact = { case_sensitive: true };
  const calls: Call[] = [
    { tool: "Grep", params: { pattern: definition, ...exact, context: AROUND, limit: MAX_DEFINITIONS } },
    { tool: "Grep", params: { pattern: wordOf(symbol), ...exact, output_mode: "files", limit: MAX_MENTIONS } },
  ];
  const [definitions, mentions] = yield {
    say: `I search for the definition of \`${symbol}\`, and for its uses.`,
    calls,
  };
  const defined = definitions?.kind === "matches" ? bestOf(definitions.matches) : undefined;
  const mentioned = mentions?.kind === "matches" ? mentions.matches : [];
  const elsewhere = mentioned.filter(({ file }) => file !== defined?.file);
  const also = elsewhere.slice(0, MAX_SHOWN).map(({ file, line, text }) => reference(file, [{ number: line, text }]));
  const rest = elsewhere.length - also.length;
  const uses =
    also.length === 0 ? "" : `Also mentioned at ${also.join(", ")}${rest > 0 ? ` and in ${rest} more files` : ""}.`;
  if (defined) {
    const lines = wholeDefinition(defined);
    const place = reference(defined.file, [{ number: defined.line, text: defined.text }]);
    return [`\`${symbol}\` is defined at ${place}:`, quote(defined.file, lines), uses]
      .filter((part) => part !== "")
      .join("\n\n");
  }
  return [`Grep found no definition of \`${symbol}\`.`, uses].filter((part) => part !== "").join("\n\n");
}

/** A regular expression for a name as a word of its own; `$` may be a part of it. */
export function wordOf(name: string): string {
  const edge = (character: string | undefined) => (/\w/u.test(character ?? "") ? String.raw`\b` : "");
  return edge(name[0]) + escaped(name) + edge(name.at(-1));
}

/** A definition in code before one in a test or a text. */
function bestOf(matches: readonly Match[]): Match | undefined {
  const real = matches.filter(({ text }) => !COMMENT.test(text));
  return [...real].sort((a, b) => kindWeight(b.file) - kindWeight(a.file))[0];
}

const COMMENT = /^\s*(?:\/\*|\*|\/\/|#\s)/u;

/** From the comment above to the closing bracket, or as much as is there. */
function wholeDefinition({ line, text, before, after }: Match): Line[] {
  const above = before.map((one, index) => ({ number: line - before.length + index, text: one }));
  const commented = above.length - 1 - above.findLastIndex((one) => !COMMENT.test(one.text));
  const body = [{ number: line, text }, ...after.map((one, index) => ({ number: line + 1 + index, text: one }))];
  const end = body.findIndex((one, index) => /^[)\]}]/u.test(one.text) || (index > 0 && one.text.trim() === ""));
  const closed = end === -1 ? body : body.slice(0, body[end]?.text.trim() === "" ? end : end + 1);
  return [...above.slice(above.length - commented), ...closed];
}
