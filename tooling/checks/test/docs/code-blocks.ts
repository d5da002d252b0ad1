export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  readonly line: number;
  readonly follows: string | undefined;
}

const FENCE = /^```(?<language>\S*)\n(?<code>[^]*?)^```$/gmu;

export function codeBlocks(markdown: string): CodeBlock[] {
  let end = -1;
  let previous: string | undefined;
  return [...markdown.matchAll(FENCE)].map((match) => {
    const { language = "", code = "" } = match.groups ?? {};
    const adjacent = end >= 0 && markdown.slice(end, match.index).trim() === "";
    const block = { language, code, line: markdown.slice(0, match.index).split("\n").length };
    const follows = adjacent ? previous : undefined;
    end = match.index + match[0].length;
    previous = language;
    return { ...block, follows };
  });
}
