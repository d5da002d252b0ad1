import { memo, type ReactNode } from "react";
import { hrefOf } from "../route.ts";

/** A model's answer: paragraphs, lists, code, and references that open in Read. Nothing in it becomes HTML. */
export const Prose = memo(function Prose({ text }: { readonly text: string }) {
  // While it streams in, a blank at the end would count as text that moves when the next word comes.
  return <div className="prose">{blocksOf(text.trimEnd()).map((block, index) => renderBlock(block, index))}</div>;
});

type Block =
  | { readonly kind: "code"; readonly lines: readonly string[] }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string };

function blocksOf(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let at = 0;
  const takeWhile = (fits: (line: string) => boolean): string[] => {
    const start = at;
    while (at < lines.length && fits(lines[at] ?? "")) at++;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = /^(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence !== undefined) {
      at++;
      blocks.push({ kind: "code", lines: takeWhile((inner) => !inner.startsWith(fence)) });
      at++;
    } else if (/^\s*[-*] /u.test(line)) {
      const items = takeWhile((item) => /^\s*[-*] /u.test(item)).map((item) => item.replace(/^\s*[-*] /u, ""));
      blocks.push({ kind: "list", items });
    } else if (/^#{1,6} /u.test(line)) {
      blocks.push({ kind: "heading", text: line.replace(/^#+ /u, "") });
      at++;
    } else if (line.trim() === "") {
      at++;
    } else {
      const paragraph = takeWhile((inner) => inner.trim() !== "" && !/^(?:`{3,}|~{3,}|\s*[-*] |#{1,6} )/u.test(inner));
      blocks.push({ kind: "paragraph", text: paragraph.join("\n") });
    }
  }
  return blocks;
}

function renderBlock(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case "code":
      return (
        <pre key={key} tabIndex={0}>
          <code>{block.lines.join("\n")}</code>
        </pre>
      );
    case "list":
      return (
        <ul key={key}>
          {block.items.map((item, index) => (
            <li key={index}>{inline(item)}</li>
          ))}
        </ul>
      );
    case "heading":
      return <h4 key={key}>{inline(block.text)}</h4>;
    case "paragraph":
      return <p key={key}>{inline(block.text)}</p>;
  }
}

function inline(text: string): ReactNode[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|(?<![\w_])_[^_]+_(?![\w_]))/u).map((part, index) => {
    if (/^`.+`$/u.test(part)) return <Code key={index} text={part.slice(1, -1)} />;
    if (/^\*\*.+\*\*$/u.test(part)) return <strong key={index}>{part.slice(2, -2)}</strong>;
    if (index % 2 === 1) return <em key={index}>{part.slice(1, -1)}</em>;
    return part;
  });
}

/** Inline code; what names a file, lines of one, or a directory is a link to it. */
function Code({ text }: { readonly text: string }) {
  const href = hrefOfReference(text);
  if (href === undefined) return <code>{text}</code>;
  return (
    <a className="reference" href={href}>
      <code>{text}</code>
    </a>
  );
}

/** "src/a.ts:3-9", "src/a.ts" or "src/"; without lines or a slash it may be anything. */
function hrefOfReference(text: string): string | undefined {
  const [, path, first, last] = /^([^\s:*]+\.[\w.]+|[^\s:*]*\/[^\s:*]+):(\d+)(?:-(\d+))?$/u.exec(text) ?? [];
  if (path !== undefined && first !== undefined) {
    const limit = Math.max(1, Math.min(2000, Number(last ?? first) - Number(first) + 1));
    return hrefOf("Read", { path, start_line: Number(first), limit });
  }
  if (/^[^\s:*@/][^\s:*]*\/$/u.test(text)) return hrefOf("LS", { path: text.slice(0, -1) });
  return /^[^\s:*@/][^\s:*]*\/[^\s:*/]*\.\w+$/u.test(text) ? hrefOf("Read", { path: text }) : undefined;
}
