import type { Params } from "../params.ts";
import { grep } from "./looking.ts";
import type { Plan } from "./plan.ts";
import { place, plural, show } from "./seen.ts";
import { escaped, unquoted, wholeWord } from "./words.ts";

/** One call that changes files, once the user approves. */
export function* change(say: string, tool: string, params: Params, done: string): Plan {
  yield { say: `${say} I ask for your approval.`, tool, params };
  return `${done} I ran no tests.`;
}

/** Writes a file; Write refuses to replace one that was never read, so it is read first. */
export function* write(path: string, text: string): Plan {
  const params = { path, content: `${text}\n` };
  const { answer } = yield { say: `I write '${path}'.`, tool: "Write", params, mayFail: "CONFLICT" };
  if (!answer.error) return `I wrote \`${path}\`. I ran no tests.`;
  yield { say: `${answer.error.message} I read it first.`, tool: "Read", params: { path } };
  return yield* change("Now I know what I replace.", "Write", params, `I replaced \`${path}\`.`);
}

/** Replaces a text that is in one place, or everywhere in one file; "the price of an apple" means its value. */
export function* replace(from: string, to: string, where: string, every: boolean): Plan {
  const name = from.split(/\s+/u).findLast((word) => /^\w{2,}$/u.test(word));
  const isValue = name !== undefined && /^["']?[\d.]+["']?$/u.test(to);
  const value = String.raw`["']?[\w.]+["']?`;
  const pattern = isValue ? String.raw`${wholeWord(name)}["']?\s*[:=]\s*${value}` : escaped(unquoted(from));
  const say = `I search for \`${unquoted(from)}\`.`;
  const seen = yield* grep(say, where, { pattern, case_sensitive: !isValue, limit: 20 });
  const [first] = seen.matches;
  if (!first) return `${show(seen)}. There is nothing to change.`;
  const old = new RegExp(pattern, "iu").exec(first.text)?.[0] ?? "";
  const isOne = seen.matches.length === 1 && first.text.split(old).length === 2;
  if (!isOne && (!every || seen.matches.some(({ file }) => file !== first.file)))
    return `${show(seen)}\n\nThat is more than one place. Name a file and quote more of the line, or say "every".`;
  const replacement = isValue ? old.replace(new RegExp(`${value}$`, "u"), () => to) : unquoted(to);
  const params = {
    path: first.file,
    old_string: old,
    new_string: replacement,
    ...(isOne ? {} : { replace_all: true }),
  };
  const done = `Changed \`${old}\` to \`${replacement}\` in \`${first.file}\`.`;
  return yield* change(`It is at ${place(first.file, first.line)}.`, "Edit", params, done);
}

/** Renames a name wherever it is a whole word: one edit a file, of the name with a character on each side. */
export function* rename(from: string, to: string, where: string): Plan {
  const params = { pattern: wholeWord(from), case_sensitive: true, limit: 200 };
  const seen = yield* grep(`I search for \`${from}\`.`, where, params);
  const { matches, next } = seen;
  if (matches.length === 0) return `${show(seen)}. There is nothing to rename.`;
  if (next || matches.some(({ column }) => column !== undefined))
    return `\`${from}\` is in too many lines, or in one that is too long to be seen whole. Name a folder.`;
  const files = [...new Set(matches.map(({ file }) => file))];
  const said = `${plural(matches.length, "line")} of ${plural(files.length, "file")}`;
  for (const path of files) {
    const lines = matches
      .filter(({ file }) => file === path)
      .map(({ line, text }) => `${line > 1 ? "\n" : ""}${text}\n`);
    const pieces = new Set(lines.flatMap((line) => line.match(new RegExp(`[^]?${wholeWord(from)}[^]`, "gu")) ?? []));
    const edits = [...pieces].map((piece) => ({
      old_string: piece,
      new_string: piece.replace(from, () => to),
      replace_all: true,
    }));
    yield { say: `It is in ${said}. I ask for your approval of '${path}'.`, tool: "Edit", params: { path, edits } };
  }
  return `Renamed \`${from}\` to \`${to}\` in ${said}. I ran no tests.`;
}
