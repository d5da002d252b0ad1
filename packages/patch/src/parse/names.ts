import { Buffer, isUtf8 } from "node:buffer";

// The characters 7 to 13; a quote and a backslash stand for themselves.
const SHORT_ESCAPES = "abtnvfr";
// No system has longer paths, each byte of which takes four characters here.
const MAX_QUOTED_CHARS = 32_768;
const QUOTED = /^"((?:[^"\\]|\\(?:[0-3][0-7]{2}|[abtnvfr"\\]))*)"/u;

/** The names of the old and the new file; undefined if there is none. */
export interface Names {
  readonly old: string | undefined;
  readonly new: string | undefined;
}

/** The name at the beginning of what follows "--- " or "rename to ", which a tab ends. */
export function nameIn(text: string): string {
  return quotedName(text)?.name ?? text.split("\t", 1)[0]?.replace(/\r$/u, "") ?? "";
}

/** The names of a pair of lines, "--- {old}" and "+++ {new}", without "a/" and "b/". */
export function namesIn(oldText: string, newText: string): Names {
  const [before, after] = [oldText, newText].map((text) => {
    const name = nameIn(text);
    // What `diff -N` writes in place of "/dev/null".
    return name === "/dev/null" || /\t(?:1970-01-01|1969-12-31) /u.test(text) ? undefined : name;
  });
  return withoutPrefixes({ old: before, new: after });
}

/** The names of "diff --git a/{name} b/{name}", where both are the same or quoted; none if that cannot be told. */
export function gitNames(text: string): Names {
  const rest = text.replace(/\r$/u, "");
  const first = quotedName(rest);
  if (first !== undefined) {
    return withoutPrefixes({ old: first.name, new: nameIn(rest.slice(first.length + 1)) });
  }
  const quote = rest.indexOf(' "');
  const middle = quote === -1 ? (rest.length - 1) / 2 : quote;
  const [old, after] = [rest.slice(0, middle), rest.slice(middle + 1)];
  const names = withoutPrefixes({ old, new: nameIn(after) });
  return names.old === names.new || quote !== -1 ? names : { old: undefined, new: undefined };
}

/** A name in quotes as git writes it, by its bytes; undefined if there is none, or it is not text. */
function quotedName(text: string): { readonly name: string; readonly length: number } | undefined {
  const [whole, quoted] = QUOTED.exec(text.slice(0, MAX_QUOTED_CHARS)) ?? [];
  if (whole === undefined || quoted === undefined) return undefined;
  const unescaped = Buffer.from(quoted)
    .toString("latin1")
    .replaceAll(/\\([0-7]{3}|.)/gu, (_, escaped: string) => {
      if (escaped.length > 1) return String.fromCharCode(Number.parseInt(escaped, 8));
      const at = SHORT_ESCAPES.indexOf(escaped);
      return at === -1 ? escaped : String.fromCharCode(7 + at);
    });
  const bytes = Buffer.from(unescaped, "latin1");
  return isUtf8(bytes) ? { name: bytes.toString(), length: whole.length } : undefined;
}

/** Both prefixes come off, or none: a directory may be called "a". */
function withoutPrefixes(names: Names): Names {
  const { old = "a/", new: after = "b/" } = names;
  if (!old.startsWith("a/") || !after.startsWith("b/")) return names;
  return { old: names.old?.slice(2), new: names.new?.slice(2) };
}
