import type { Envelope, Params } from "../../envelope.ts";
import { hrefOf } from "../route.ts";
import type { Row } from "../ui/lines.tsx";

interface Match {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly count?: number;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

interface Data {
  readonly entries?: readonly { readonly path: string; readonly type: string }[];
  readonly paths?: readonly string[];
  readonly matches?: readonly Match[];
  readonly content?: string;
}

const languageOf = (path = "") => /\.(\w+)$/u.exec(path)?.[1];

/** What a tool found, as rows that lead on; none where there is nothing but words. */
export function rowsOf({ data, context }: Envelope): readonly Row[] {
  const { entries, paths, matches, content = "" } = data as Data;
  const { output_mode: mode = "content" } = context.params_input as Params;
  if (entries) return entries.map(({ path, type }) => (type === "dir" ? folder(path) : file(path)));
  if (paths) return paths.map((path) => file(path));
  if (matches && mode !== "content") return matches.map((match) => ({ ...file(match.file), number: match.count }));
  if (matches) return matches.flatMap((match, index) => matchRows(match, matches[index - 1]?.file));
  if (content === "") return [];
  const lines = content.replace(/\n$/u, "").split("\n");
  return lines.map((line) => {
    const [, number, text = line] = /^ *(\d+)(?: \| |: )(.*)$/su.exec(line) ?? [];
    return { text, number, language: languageOf(context.path_resolved) };
  });
}

const folder = (path: string): Row => ({ text: `${path}/`, href: hrefOf("LS", { path }) });
const file = (path: string): Row => ({ text: path, href: hrefOf("Read", { path }) });

function matchRows({ file: path, line, text, before = [], after = [] }: Match, previous: string | undefined): Row[] {
  const language = languageOf(path);
  const around = (texts: readonly string[], first: number) =>
    texts.map((one, index): Row => ({ text: one, number: first + index, language }));
  const href = hrefOf("Read", { path, start_line: Math.max(1, line - 5), limit: 30 });
  const rows = [...around(before, line - before.length), { text, number: line, href, language }];
  const head: Row[] = previous === path ? [] : [{ ...file(path), kind: "head" }];
  return [...head, ...rows, ...around(after, line + 1)];
}

/** What a call of Grep looked for, as far as the browser can match it. */
export function marksOf(tool: string, { pattern, literal, case_sensitive: isExact }: Params): RegExp | undefined {
  if (tool !== "Grep" || typeof pattern !== "string" || pattern === "") return undefined;
  const source = literal === true ? pattern.replaceAll(/[.*+?^${}()|[\]\\/-]/gu, String.raw`\$&`) : pattern;
  try {
    return new RegExp(source, isExact === true ? "gu" : "giu");
  } catch {
    // The tool's own syntax differs here and there; then nothing is marked.
    return undefined;
  }
}
