import { Buffer, isUtf8 } from "node:buffer";

const SHORT_ESCAPES: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 }),
);
// No system has longer paths, each byte of which takes four characters here.
const MAX_QUOTED_CHARS = 32_768;
const QUOTED = /^"((?:[^"\\]|\\(?:[0-3][0-7]{2}|[abtnvfr"\\]))*)"/u;
const ESCAPE = /\\([0-7]{3}|.)/gu;

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
  const parts: Buffer[] = [];
  let from = 0;
  for (const escape of quoted.matchAll(ESCAPE)) {
    const [written, escaped = ""] = escape;
    const byte = SHORT_ESCAPES.get(escaped) ?? Number.parseInt(escaped, 8);
    parts.push(Buffer.from(quoted.slice(from, escape.index)), Buffer.from([byte]));
    from = escape.index + written.length;
  }
  const bytes = Buffer.concat([...parts, Buffer.from(quoted.slice(from))]);
  return isUtf8(bytes) ? { name: bytes.toString(), length: whole.length } : undefined;
}

/** Both prefixes come off, or none: a directory may be called "a". */
function withoutPrefixes(names: Names): Names {
  const isPrefixed = [names.old ?? "a/", names.new ?? "b/"].every((name, index) =>
    name.startsWith(index === 0 ? "a/" : "b/"),
  );
  return isPrefixed ? { old: names.old?.slice(2), new: names.new?.slice(2) } : names;
}
