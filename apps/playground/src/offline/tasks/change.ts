import { bullets, fenced, plural, reference } from "../evidence/quote.ts";
import type { Call, Investigation } from "../investigation.ts";
import type { Match, Matches, Observation } from "../observation.ts";
import { visit } from "../visit.ts";
import { wordOf } from "./locate.ts";

/** A replacement that was asked for. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
  /** The file or directory that it is limited to, if one was named. */
  readonly within: string | undefined;
  /** True if every place was meant. */
  readonly everywhere: boolean;
}

const MAX_FILES = 8;

/** Renames a name wherever it is a whole word; each file waits for the user's approval. */
export function* rename({ from, to, within }: Replacement): Investigation<string> {
  const path = within === undefined ? {} : { path: within };
  const search = { pattern: wordOf(from), ...path, case_sensitive: true, limit: 100 };
  const { observation, notes } = yield* visit({ tool: "Grep", params: search }, `I search for \`${from}\`.`);
  const found = foundOr(observation, from);
  if (typeof found === "string") return [...notes, found].join("\n\n");
  const files = byFile(found.matches);
  if (found.more || files.size > MAX_FILES) {
    return `\`${from}\` is in ${found.more ? "more than " : ""}${plural(files.size, "file")}. That is too much for a small edit; name a file or a folder to start with.`;
  }
  const edits = [...files].map(([file, matches]): Call => renameIn(file, matches, from, to));
  const places = plural(found.matches.length, "line");
  const say = `It is in ${places} of ${plural(files.size, "file")}. I ask for your approval of each change.`;
  const seen = yield { say, calls: edits };
  return [...notes, outcome(seen, `Renamed \`${from}\` to \`${to}\``)].join("\n\n");
}

/** Whole lines that occur only once in a file are replaced one by one; otherwise the name itself, if it is not part of longer ones. */
function renameIn(path: string, matches: readonly Match[], from: string, to: string): Call {
  const word = new RegExp(wordOf(from), "gu");
  const partOfLonger = matches.some(({ text }) => text.split(from).length !== text.split(word).length);
  if (!partOfLonger) {
    const once = matches.length === 1 && matches[0]?.text.split(from).length === 2;
    return { tool: "Edit", params: { path, old_string: from, new_string: to, ...(once ? {} : { replace_all: true }) } };
  }
  const lines = [...new Set(matches.map(({ text }) => text))];
  const edits = lines.map((text) => ({ old_string: text, new_string: text.replaceAll(word, to) }));
  return { tool: "Edit", params: { path, edits } };
}

/** Changes one text into another, in the one place where it is, or everywhere if that was asked for. */
export function* replace({ from, to, within, everywhere }: Replacement): Investigation<string> {
  const path = within === undefined ? {} : { path: within };
  const search = { pattern: from, ...path, case_sensitive: true, literal: true, limit: 50 };
  const { observation, notes } = yield* visit({ tool: "Grep", params: search }, `I search for \`${from}\`.`);
  const found = foundOr(observation, from);
  if (typeof found === "string") return [...notes, found].join("\n\n");
  const files = byFile(found.matches);
  const [file] = files.keys();
  const [only] = found.matches;
  const isOne = found.matches.length === 1 && only?.text.split(from).length === 2;
  if (file === undefined || files.size > 1 || (!isOne && !everywhere)) return whichOne(found, from);
  const params = { path: file, old_string: from, new_string: to, ...(isOne ? {} : { replace_all: true }) };
  const say = `It is ${isOne ? `at line ${only.line}` : `in ${plural(found.matches.length, "line")}`} of '${file}'. I ask for your approval of the change.`;
  const seen = yield { say, calls: [{ tool: "Edit", params }] };
  return [...notes, outcome(seen, `Changed \`${from}\` to \`${to}\``)].join("\n\n");
}

/** Makes a new file. */
export function* create(path: string, content: string): Investigation<string> {
  const say = `I ask for your approval of the new file '${path}'.`;
  const seen = yield { say, calls: [{ tool: "Write", params: { path, content: `${content}\n` } }] };
  return outcome(seen, `Created \`${path}\``);
}

function foundOr(observation: Observation | undefined, from: string): Matches | string {
  if (observation?.kind === "failure") return `I could not search: ${observation.message}`;
  if (observation?.kind !== "matches") return "I could not search.";
  return observation.matches.length === 0 ? `I found no \`${from}\`, so there is nothing to change.` : observation;
}

function whichOne({ matches }: Matches, from: string): string {
  const places = matches.slice(0, 10).map(({ file, line, text }) => reference(file, [{ number: line, text }]));
  return `\`${from}\` is in ${plural(matches.length, "line")}: ${places.join(", ")}. Name one file, or ask me to change every one in a file, or quote more of the line.`;
}

function byFile(matches: readonly Match[]): ReadonlyMap<string, readonly Match[]> {
  const files = new Map<string, Match[]>();
  for (const match of matches) files.set(match.file, [...(files.get(match.file) ?? []), match]);
  return files;
}

function outcome(seen: readonly Observation[], done: string): string {
  const applied = seen.flatMap((one) => (one.kind === "change" && one.applied ? [one] : []));
  const declined = seen.filter((one) => one.kind === "failure" && one.reason === "declined").length;
  const failed = seen.flatMap((one) => (one.kind === "failure" && one.reason !== "declined" ? [one.message] : []));
  const diffs = applied.map(({ path, diff }) => `\`${path}\`\n\n${fenced("diff", hunks(diff))}`);
  return [
    applied.length > 0 ? `${done}, in ${plural(applied.length, "file")}:` : "Nothing was changed.",
    ...diffs,
    declined > 0 ? `You declined ${plural(declined, "change")}; those files are as they were.` : "",
    failed.length > 0 ? `What did not work:\n\n${bullets(failed)}` : "",
    applied.length > 0 ? "I changed text only, and ran no tests." : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const MAX_DIFF_LINES = 30;

function hunks(diff: string): string {
  const lines = diff.split("\n").filter((line) => !/^(?:---|\+\+\+|Index:|=+$)/u.test(line));
  return lines.slice(0, MAX_DIFF_LINES).join("\n").trimEnd();
}
