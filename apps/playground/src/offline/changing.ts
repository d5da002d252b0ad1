import type { Params } from "../envelope.ts";
import { grep } from "./looking.ts";
import type { Plan } from "./plan.ts";
import { place, plural, show } from "./seen.ts";
import { escaped, wholeWord, type Parts } from "./words.ts";

/** One call that changes files, once the user approves. */
function* change(say: string, tool: string, params: Params, done: string): Plan {
  yield { say: `${say} I ask for your approval.`, tool, params };
  return `${done} I ran no tests.`;
}

/** Moves a file or folder. */
export const move = ({ object: from, target: to }: Parts) =>
  change(`I move '${from}'.`, "Move", { from, to }, `Moved \`${from}\` to \`${to}\`.`);

/** Deletes a file or an empty folder. */
export const remove = (path: string) => change(`I delete '${path}'.`, "Delete", { path }, `Deleted \`${path}\`.`);

/** Writes a file, new or instead of what is there. */
export const write = (path: string, text: string) =>
  change(`I write '${path}'.`, "Write", { path, content: `${text}\n` }, `I wrote \`${path}\`.`);

/** Replaces a text that is in one place, or everywhere in one file; "the price of an apple" means its value. */
export function* replace({ text, object, target, where }: Parts): Plan {
  const isValue = /^["']?[\d.]+["']?$/u.test(target);
  const name = isValue ? object.split(/\s+/u).findLast((word) => /^\w{2,}$/u.test(word)) : undefined;
  const value = String.raw`["']?[\w.]+["']?`;
  const pattern = name ? String.raw`${wholeWord(name)}["']?\s*[:=]\s*${value}` : escaped(object);
  const seen = yield* grep(`I search for \`${object}\`.`, where, { pattern, case_sensitive: !name, limit: 20 });
  const [first, ...others] = seen.matches;
  if (!first) return `${show(seen)}. There is nothing to change.`;
  const old = new RegExp(pattern, "iu").exec(first.text)?.[0] ?? "";
  const isOne = others.length === 0 && first.text.split(old).length === 2;
  if (!isOne && (!/\bevery\b/iu.test(text) || others.some(({ file }) => file !== first.file)))
    return `${show(seen)}\n\nThat is more than one place. Name a file and quote more of the line, or say "every".`;
  const changed = name ? old.replace(new RegExp(`${value}$`, "u"), () => target) : target;
  const params = { path: first.file, old_string: old, new_string: changed, ...(!isOne && { replace_all: true }) };
  const done = `Changed \`${old}\` to \`${changed}\` in \`${first.file}\`.`;
  return yield* change(`It is at ${place(first.file, first.line)}.`, "Edit", params, done);
}

/** Renames a name wherever it is a whole word, in all files at once. */
export function* rename({ object: from, target: to, where }: Parts): Plan {
  const params = { pattern: wholeWord(from), case_sensitive: true, limit: 200 };
  const seen = yield* grep(`I search for \`${from}\`.`, where, params);
  const { matches, next } = seen;
  if (matches.length === 0) return `${show(seen)}. There is nothing to rename.`;
  if (next || matches.some(({ column }) => column !== undefined))
    return `\`${from}\` is in too many lines, or in one that is too long to be seen whole. Name a folder.`;
  const hunks = matches.map(({ file, line, text }, at) => {
    const head = matches[at - 1]?.file === file ? "" : `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n`;
    const renamed = text.replaceAll(new RegExp(wholeWord(from), "gu"), () => to);
    return `${head}@@ -${line} +${line} @@\n-${text}\n+${renamed}\n`;
  });
  const files = new Set(matches.map(({ file }) => file)).size;
  const said = `${plural(matches.length, "line")} of ${plural(files, "file")}`;
  const done = `Renamed \`${from}\` to \`${to}\` in ${said}.`;
  return yield* change(`It is in ${said}.`, "Patch", { patch: hunks.join("") }, done);
}
