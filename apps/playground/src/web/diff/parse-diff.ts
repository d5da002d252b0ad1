import { escapeLine } from "@fstools/protocol";

const PIECE = 500;

/** A line of a unified diff. */
export interface DiffLine {
  readonly kind: "add" | "remove" | "same" | "gap";
  /** Its number in the old file, where it is in it. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
}

/** Two lines that stand side by side. */
export interface DiffPair {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

/** The lines of a unified diff, without its header; controls are visible, a very long line goes on in further rows. */
export function parseDiff(diff: string): DiffLine[] {
  let before = 0;
  let after = 0;
  let inHunk = false;
  const lines = diff.split("\n").flatMap((line): DiffLine[] => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/u.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      const first = !inHunk;
      inHunk = true;
      return first ? [] : [{ kind: "gap", before: undefined, after: undefined, text: "⋯" }];
    }
    if (!inHunk || line === "") return [];
    const text = line.slice(1);
    switch (line.charAt(0)) {
      case "+":
        return [{ kind: "add", before: undefined, after: after++, text }];
      case "-":
        return [{ kind: "remove", before: before++, after: undefined, text }];
      case " ":
        return [{ kind: "same", before: before++, after: after++, text }];
      default:
        // "\ No newline at end of file", or a remark that the diff was cut.
        return [{ kind: "gap", before: undefined, after: undefined, text: line }];
    }
  });
  return lines.flatMap(({ text, ...line }) =>
    piecesOf(escapeLine(text)).map((piece, index) =>
      index === 0
        ? { ...line, text: piece }
        : { kind: line.kind, before: undefined, after: undefined, text: `↪${piece}` },
    ),
  );
}

function piecesOf(text: string): string[] {
  const pieces = Math.max(1, Math.ceil(text.length / PIECE));
  return Array.from({ length: pieces }, (_, index) => text.slice(index * PIECE, (index + 1) * PIECE));
}

/** The same lines in two columns: what was removed beside what was added in its place. */
export function pairLines(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    const height = Math.max(removed.length, added.length);
    for (let row = 0; row < height; row++) pairs.push({ left: removed[row], right: added[row] });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "remove") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === "add") added.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}
