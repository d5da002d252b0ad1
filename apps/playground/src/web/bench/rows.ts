import { linesOf, shownSchema, type Envelope, type Match, type Params } from "../../envelope.ts";
import { hrefOf } from "../route.ts";
import type { Row } from "../ui/lines.tsx";

const languageOf = (path = "") => /\.(\w+)$/u.exec(path)?.[1];

/** What a tool found, as rows that lead on; none where there is nothing but words. */
export function rowsOf({ data, context }: Envelope): readonly Row[] {
  const { entries, paths, matches, content } = shownSchema.parse(data);
  const { output_mode: mode = "content" } = context.params_input as Params;
  const language = languageOf(context.path_resolved);
  return [
    ...entries.map(({ path, type }) => (type === "dir" ? folder(path) : file(path))),
    ...paths.map((path) => file(path)),
    ...matches.flatMap((match, index) =>
      mode === "content" ? matchRows(match, matches[index - 1]?.file) : [{ ...file(match.file), number: match.count }],
    ),
    ...(content === "" ? [] : linesOf(content).map(({ line, text }) => ({ text, number: line, language }))),
  ];
}

const folder = (path: string): Row => ({ text: `${path}/`, href: hrefOf("LS", { path }) });
const file = (path: string): Row => ({ text: path, href: hrefOf("Read", { path }) });

function matchRows({ file: path, line, text, before, after }: Match, previous: string | undefined): Row[] {
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
