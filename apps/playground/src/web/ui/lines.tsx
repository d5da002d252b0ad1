import { escapeLine } from "@fstools/protocol";
import { useEffect, useMemo, useState, type CSSProperties } from "react";
import { VList } from "virtua";
import type { Token } from "./highlight.ts";

/** A row of text. */
export interface Row {
  readonly text: string;
  /** In front of it: a line's number, or a mark. */
  readonly number?: string | number | undefined;
  readonly href?: string | undefined;
  /** The extension of the file that it is from. */
  readonly language?: string | undefined;
  readonly kind?: "head" | "added" | "removed" | undefined;
}

/** The lines of a text as rows. */
export const plainRows = (text: string, language?: string): Row[] =>
  text.split("\n").map((line) => ({ text: line, language }));

interface LinesProps {
  readonly rows: readonly Row[];
  readonly label: string;
  /** What to mark. */
  readonly marks?: RegExp | undefined;
}

/** More than this, and only what is in view exists. */
const MANY = 400;

/** Text of any length: controls are visible, long lines wrap, code is coloured once the highlighter is there. */
export function Lines({ rows: given, label, marks }: LinesProps) {
  const rows = useMemo(() => given.map((row) => ({ ...row, text: escapeLine(row.text) })), [given]);
  const colours = useColours(rows);
  const shown = rows.map((row, index) => {
    const marked = row.kind === "head" ? undefined : marks;
    return (
      <div key={index} className={`row ${row.kind ?? (row.language === undefined ? "" : "code")}`}>
        {row.number !== undefined && <span className="number">{row.number}</span>}
        <a className="text" href={row.href}>
          {piecesOf(row.text, colours[index] ?? [], marked).map(({ text, style, isMarked }, at) => {
            const Piece = isMarked ? "mark" : "span";
            return (
              <Piece key={at} className={isMarked ? "" : "token"} style={style}>
                {text}
              </Piece>
            );
          })}
        </a>
      </div>
    );
  });
  const region = { className: "lines", role: "group", "aria-label": label, tabIndex: 0 };
  if (rows.length <= MANY) return <div {...region}>{shown}</div>;
  return (
    <VList {...region} style={{ height: "62vh" }}>
      {shown}
    </VList>
  );
}

/** Colours for rows: those that follow each other in a file are read together. */
function useColours(rows: readonly Row[]): readonly (readonly Token[])[] {
  const [colours, setColours] = useState<{ readonly rows: readonly Row[]; readonly of: (readonly Token[])[] }>();
  useEffect(() => {
    let isCurrent = true;
    const colour = async () => {
      const of: (readonly Token[])[] = [];
      const starts = [...rows.keys()].filter((index) => !follows(rows[index], rows[index - 1]));
      for (const [at, start] of starts.entries()) {
        const part = rows.slice(start, starts[at + 1]);
        const [language] = part.map((row) => row.language);
        if (language === undefined) continue;
        // Loaded when there is first something to colour: it is as large as the rest of the page.
        const { highlight } = await import("./highlight.ts");
        const lines = await highlight(part.map(({ text }) => text).join("\n"), language);
        for (const [line, tokens] of lines.entries()) of[start + line] = tokens;
      }
      if (isCurrent) setColours({ rows, of });
    };
    void colour();
    return () => {
      isCurrent = false;
    };
  }, [rows]);
  return colours?.rows === rows ? colours.of : [];
}

const follows = (row?: Row, before?: Row) =>
  row?.language === before?.language && (typeof row?.number !== "number" || row.number - 1 === before?.number);

/** A line cut at the borders of its colours and marks. */
function piecesOf(text: string, tokens: readonly Token[], marks: RegExp | undefined) {
  const found = marks ? [...text.matchAll(marks)] : [];
  const marked = found.map((match) => [match.index, match.index + match[0].length] as const);
  let end = 0;
  const spans = tokens.map((token) => ({ token, from: end, to: (end += token.text.length) }));
  const borders = new Set([0, text.length, ...spans.map(({ to }) => to), ...marked.flat()]);
  const cuts = [...borders].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, index) => {
    const token = spans.find((span) => span.from <= from && from < span.to)?.token;
    const style = token && ({ "--light": token.light, "--dark": token.dark } as CSSProperties);
    return { style, text: text.slice(from, cuts[index + 1]), isMarked: marked.some(([a, b]) => a <= from && from < b) };
  });
}
