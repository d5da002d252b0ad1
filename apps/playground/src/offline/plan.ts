import type { Envelope, Params } from "../envelope.ts";
import { move, remove, rename, replace, write } from "./changing.ts";
import * as looking from "./looking.ts";
import { seenIn, type Seen } from "./seen.ts";
import { isPath, isVague, partsOf, unquoted, type Parts } from "./words.ts";

/** A call to make next, and what to say before it. */
export interface Look {
  readonly say: string;
  readonly tool: string;
  readonly params: Params;
}

/** What to do about a question: yields calls, is given what they showed, and returns what to say in the end. */
export type Plan<Result = string> = Generator<Look, Result, Seen>;

const ABOUT = `I am an offline agent: fixed rules instead of a language model, so that the tools can be tried without an API key. I list, find and read files ("What is in src?"), search and quote ("Where is \`priceOf\` defined?", "Any TODO?", "How are prices set?"), and change files after your approval: change … to …, rename, move, delete, create.

For everything else, start the playground with \`--base-url\` and \`--model\`.`;

const JUDGEMENT =
  /^(?:why|should|is it|would)\b|\b(?:better|refactor|fix|implement|improve|translate|review|summari[sz]e)\b/iu;
const REFUSALS: readonly (readonly [wording: RegExp, words: string])[] = [
  [/^(?:run|execute|install|build|deploy|compile|start|test|debug)\b/iu, "I can't run anything."],
  [/\bwho (?:wrote|changed|made|added)\b|\bgit\b|\bcommit/iu, "I can't see a project's history, only its files."],
  [/\b(?:weather|joke|poem|news)\b|\bwhat (?:time|day) is\b/iu, "I can't know that: I only see these files."],
  [JUDGEMENT, "I can't do that: it takes judgement. A language model can, with the same tools."],
];

interface Asked extends Parts {
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly earlier: readonly (Envelope | undefined)[];
}

const CREATE = /^(?:create|write|make|add|overwrite|replace)\s.*["'`”]$/isu;
const READ =
  /^(?:(?:read|show|open|cat|print|display|see|look at)\s)?(?:me\s|the\s|whole\s|file\s|picture\s|of\s)*(?:lines?\s(?<from>\d+)(?:\s?(?:-|to)\s?(?<until>\d+))?\s(?:of|in)\s)?(?<path>\S+?)(?:,? lines?\s(?<first>\d+)(?:\s?(?:-|to)\s?(?<last>\d+))?)?$/iu;
const ABOUT_ALL =
  /\b(?<name>readme|changelog|license|package\.json)\b|\bwhat\b.*\bthis (?:project|repo|codebase)\b|\boverview\b/iu;
const LIST =
  /^(?:ls|list|show|what(?:'s|s| is| are)?)\s(?:me\s|all\s|everything\s|the\s|files\s|contents\s)*(?:in\s|of\s)?(?:the\s)?(?<path>[\w@./()[\]`"'-]+)(?:\s(?:folder|directory))?$/iu;
const LATEST = /\b(?:latest|recently|last)\b.*\bchang|\b(?:chang|edit|modif)\w*\s.*\b(?:last|recently)\b/iu;
const FILES =
  /^(?:find|list|show|which|what|where are|how many)(?: me| all| the)*\s(?:(?<kind>[\w.]+)\sfiles?|(?<glob>\S*\*\S*))(?!.*\b(?:mention|contain|use))/iu;
const SEARCH =
  /\b(?:calls?|called|uses?|used|imports?|mentions?|contains?|search|grep|look|any|anything|find)\b(?:\s+(?:anything|about|for|the|an?))*\s*(?<rest>.*?)(?:\s+(?:in|inside|under)\s.*)?$/iu;
const CHANGE = /^(?:change|replace|set|update)\s.*\s(?:to|with|by|into)\s/iu;

/** How something is asked for, and what to do about it; the first that fits and has a plan is taken. */
const COURSES: readonly (readonly [wording: RegExp, plan: (asked: Asked) => Plan | string | false])[] = [
  [/^(?:hello|hi|hey|help|thanks?|thank you|who are you|what can you do)?$/iu, () => ABOUT],
  [/^(?:continue|go on|more|next(?: page)?)$/iu, ({ earlier }) => looking.goOn(earlier)],
  [/^(?:rename|move)\s.*\s(?:to|into|as)\s/iu, (asked) => (isPath(asked.object) ? move : rename)(asked)],
  [/^(?:delete|remove)\s/iu, ({ object }) => isPath(object) && remove(object)],
  [CREATE, ({ object, target }) => isPath(object) && write(object, target)],
  [CHANGE, (asked) => replace(asked)],
  [READ, ({ groups: { path = "", ...lines } }) => isPath(unquoted(path)) && looking.read(unquoted(path), lines)],
  [ABOUT_ALL, ({ groups: { name = "README" }, where }) => looking.readNamed(name, where)],
  [LIST, ({ groups: { path = "" } }) => !isVague(path) && looking.list(unquoted(path))],
  [/\b(?:biggest|largest|longest)\b/iu, ({ text, where }) => looking.largest(text, where)],
  [LATEST, ({ where }) => looking.list(where, "modified")],
  [FILES, ({ groups: { kind = "", glob = kind }, where }) => looking.find(glob, where)],
  [/\bexport(?:s|ed)?\b/iu, ({ text, where }) => looking.exportsOf(text, where)],
  [SEARCH, ({ text, groups: { rest = "" }, where }) => !/^how\b/iu.test(text) && looking.searchFor(text, rest, where)],
  [/^where\b|\bdefine/iu, ({ text }) => looking.locate(text)],
];

function courseFor(question: string, earlier: Asked["earlier"]): Plan | string {
  const parts = partsOf(question);
  for (const [wording, course] of COURSES) {
    const match = wording.exec(parts.text);
    const chosen = match && course({ ...parts, earlier, groups: match.groups ?? {} });
    if (chosen) return chosen;
  }
  const [, refusal] = REFUSALS.find(([wording]) => wording.test(parts.text)) ?? [];
  return refusal === undefined ? looking.explain(parts.text) : `${refusal} ${ABOUT}`;
}

/** Makes the calls that a question needs; does what an error suggests, and ends at any other error. */
export function* plan(
  question: string,
  tools: readonly string[],
  earlier: Asked["earlier"],
): Generator<Look, string, Envelope | undefined> {
  const chosen = courseFor(question, earlier);
  if (typeof chosen === "string") return chosen;
  let step = chosen.next();
  while (step.done !== true) {
    const { tool, params } = step.value;
    if (tools.length > 0 && !tools.includes(tool))
      return `I can't: ${tool} is not offered here. Open the demo, or start the playground with \`--write\`.`;
    let answer = yield step.value;
    const { suggestions: [path] = [], next_call: next } = answer?.context ?? {};
    const { code, message = "" } = answer?.error ?? {};
    if (code === "NOT_FOUND" && path !== undefined)
      answer = yield { tool, params: { ...params, path }, say: `${message} I take '${path}'.` };
    if (code === "CONFLICT" && next) {
      yield { ...next, say: `${message} I read it first.` };
      answer = yield { ...step.value, say: "Now I know what I replace. I ask for your approval." };
    }
    if (!answer || /\bdeclined\b/u.test(message)) return "You declined, so nothing was changed.";
    if (answer.error) return answer.text.split("\n", 1)[0] ?? "";
    step = chosen.next(seenIn(answer));
  }
  return step.value;
}
