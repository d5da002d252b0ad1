import type { ToolResponse } from "@fstools/protocol";
import { hrefOf, type Params } from "../route.ts";
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
  readonly entries?: readonly { readonly path: string; readonly type: string; readonly size?: number }[];
  readonly paths?: readonly string[];
  readonly matches?: readonly Match[];
  readonly content?: string;
}

const languageOf = (path: string) => /\.(\w+)$/u.exec(path)?.[1];

/** What a tool found, as rows that lead on; none where there is nothing but words. */
export function rowsOf({ data, context }: ToolResponse<object>): readonly Row[] {
  const { entries, paths, matches, content } = data as Data;
  const { output_mode: mode } = context.params_input as Params;
  if (entries) return entries.map(({ path, type }) => linkTo(path, type === "dir"));
  if (paths) return paths.map((path) => linkTo(path, false));
  if (matches && mode !== undefined && mode !== "content")
    return matches.map(({ file, count }) => ({
      ...linkTo(file, false),
      ...(count !== undefined && { number: count }),
    }));
  if (matches) return matches.flatMap((match, index) => matchRows(match, matches[index - 1]));
  if (content === undefined || content === "") return [];
  const language = languageOf(context.path_resolved ?? "");
  return content
    .replace(/\n$/u, "")
    .split("\n")
    .map((line) => {
      const [, number, text = line] = /^ *(\d+)(?: \| |: )(.*)$/su.exec(line) ?? [];
      return { text, number, language };
    });
}

function linkTo(path: string, isDirectory: boolean): Row {
  return isDirectory
    ? { text: `${path}/`, href: hrefOf("LS", { path }) }
    : { text: path, href: hrefOf("Read", { path }) };
}

function matchRows({ file, line, text, before = [], after = [] }: Match, previous: Match | undefined): Row[] {
  const language = languageOf(file);
  const around = (texts: readonly string[], first: number) =>
    texts.map((one, index): Row => ({ text: one, number: first + index, language }));
  const head: Row[] =
    previous?.file === file ? [] : [{ text: file, href: hrefOf("Read", { path: file }), kind: "head" }];
  const href = hrefOf("Read", { path: file, start_line: Math.max(1, line - 5), limit: 30 });
  return [
    ...head,
    ...around(before, line - before.length),
    { text, number: line, href, language },
    ...around(after, line + 1),
  ];
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
