import { bullets, fenced, plural, reference } from "../evidence/quote.ts";
import { look, type Call, type Investigation } from "../investigation.ts";
import type { Line, Match, Matches, Observation } from "../observation.ts";
import { escaped } from "../question/words.ts";
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
  const search = { pattern: wordOf(from), ...path, case_sensitive: true, context: 1, limit: 100 };
  const { observation, notes } = yield* visit({ tool: "Grep", params: search }, `I search for \`${from}\`.`);
  const found = foundOr(observation, from);
  if (typeof found === "string") return [...notes, found].join("\n\n");
  const files = byFile(found.matches);
  if (found.more || files.size > MAX_FILES) {
    return `\`${from}\` is in ${found.more ? "more than " : ""}${plural(files.size, "file")}. That is too much for a small edit; name a file or a folder to start with.`;
  }
  const hasLonger = yield* longerNames(found, from);
  const cut = found.matches.find(({ file, column }) => column !== undefined && hasLonger(file));
  if (cut) {
    const place = reference(cut.file, [{ number: cut.line, text: cut.text }]);
    return `The line at ${place} is too long for me to see all of it, and the file has longer names with \`${from}\` in them, so I changed nothing.`;
  }
  const renamed = (text: string) => text.replaceAll(new RegExp(wordOf(from), "gu"), () => to);
  const edits = [...files].map(([file, matches]): Call => {
    const everyPlace = { old_string: from, new_string: to, replace_all: true };
    const change = hasLonger(file) ? { edits: lineEdits(matches, renamed) } : everyPlace;
    return { tool: "Edit", params: { path: file, ...change } };
  });
  const places = plural(found.matches.length, "line");
  const say = `It is in ${places} of ${plural(files.size, "file")}. I ask for your approval of each change.`;
  const seen = yield { say, calls: edits };
  return [...notes, outcome(seen, `Renamed \`${from}\` to \`${to}\``)].join("\n\n");
}

/** Tells which files have names that only contain this one; where that is not known, it says yes. */
function* longerNames({ call }: Matches, name: string): Investigation<(file: string) => boolean> {
  const pattern = String.raw`[\w$]${escaped(name)}|${escaped(name)}[\w$]`;
  const params = { ...call.params, pattern, context: 0, output_mode: "files" };
  const seen = yield* look(`I check for longer names that contain \`${name}\`.`, "Grep", params);
  if (seen?.kind !== "matches" || seen.more) return () => true;
  const files = new Set(seen.matches.map(({ file }) => file));
  return (file) => files.has(file);
}

/** Edits of whole lines, each with the lines around it: alone, a line may be a part of another one. */
function lineEdits(matches: readonly Match[], renamed: (text: string) => string) {
  const blocks: Line[][] = [];
  for (const { line, text, before, after } of matches) {
    const first = line - before.length;
    const lines = [...before, text, ...after].map((one, index) => ({ number: first + index, text: one }));
    const block = blocks.at(-1);
    const end = block?.at(-1)?.number ?? 0;
    // Edits must not overlap.
    if (block && end >= first) block.push(...lines.filter(({ number }) => number > end));
    else blocks.push(lines);
  }
  const texts = blocks.map((block) => block.map(({ text }) => text).join("\n"));
  return [...new Set(texts)].map((text) => ({
    old_string: text,
    new_string: renamed(text),
    ...(texts.filter((other) => other === text).length > 1 ? { replace_all: true } : {}),
  }));
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
  const advice =
    byFile(matches).size === 1
      ? "Quote more of the line, or ask me to change every one."
      : "Name one file, or ask me to change every one in a file, or quote more of the line.";
  return `\`${from}\` is in ${plural(matches.length, "line")}: ${places.join(", ")}. ${advice}`;
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
