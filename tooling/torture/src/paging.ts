import { dataOf, type Answer } from "./response.ts";

type Call = (params: object) => Promise<Answer | undefined>;

/** A file put together from its pages, or the answer that ended the attempt. */
export type Assembled =
  | { readonly lines: readonly string[]; readonly pages: number; readonly last: Answer }
  | { readonly refusal: Answer | undefined };

const MAX_PAGES = 20_000;

/** Follows Read's own hints from the first page to the last and puts the lines together. */
export async function followRead(call: Call, params: object): Promise<Assembled> {
  const lines: string[] = [];
  let next: Record<string, number> = {};
  for (let pages = 1; pages <= MAX_PAGES; pages++) {
    const response = await call({ ...params, ...next });
    if (response === undefined || response.status === "error") return { refusal: response };
    appendPage(lines, String(dataOf(response, "content")), "start_column" in next);
    const hint = /Use start_line=(?<line>\d+)(?: start_column=(?<column>\d+))? to continue\./u.exec(
      response.text,
    )?.groups;
    if (dataOf(response, "truncated") !== true) return { lines, pages, last: response };
    if (hint === undefined) throw new Error(`A truncated page names no next call: ${response.text}`);
    next = {
      start_line: Number(hint.line),
      ...(hint.column !== undefined && { start_column: Number(hint.column) }),
    };
  }
  throw new Error("The pages never end.");
}

function appendPage(lines: string[], content: string, continuesLine: boolean): void {
  for (const [index, printed] of content.split("\n").slice(0, -1).entries()) {
    const text = printed.slice(printed.indexOf(" | ") + 3);
    if (index === 0 && continuesLine) lines.push((lines.pop() ?? "") + text);
    else lines.push(text);
  }
}

/** Follows the hints of opencode's read (version 1.2) and puts the lines together. */
export async function followOpencode(call: Call, filePath: string): Promise<Assembled> {
  const lines: string[] = [];
  let offset = 1;
  for (let pages = 1; pages <= MAX_PAGES; pages++) {
    const response = await call({ filePath, offset });
    if (response === undefined || response.status === "error") return { refusal: response };
    const { shown, notice } = opencodePage(String(dataOf(response, "content")));
    lines.push(...shown);
    const beyond = /read beyond line (?<line>\d+)\)$/u.exec(notice)?.groups?.line;
    if (beyond === undefined) return { lines, pages, last: response };
    if (Number(beyond) < offset) throw new Error(`The notice leads back: ${notice}`);
    offset = Number(beyond) + 1;
  }
  throw new Error("The pages never end.");
}

function opencodePage(output: string): { shown: string[]; notice: string } {
  const begin = "<content>\n";
  const body = output.slice(output.indexOf(begin) + begin.length).split("\n");
  // Every line of the file has its number in front, so that an empty one ends them.
  const end = body.indexOf("");
  const numbered = end === -1 ? body : body.slice(0, end);
  return {
    shown: numbered.map((line) => line.slice(line.indexOf(": ") + 2)),
    notice: body[end + 1] ?? "",
  };
}
