import { useMemo } from "react";
import { Lines, plainRows, type Row } from "./lines.tsx";

/** A unified diff of one file or several, with line numbers and colours; anything else as it is. */
export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }) {
  const rows = useMemo(() => (/^(?:diff --git|---) /u.test(diff) ? rowsOf(diff) : plainRows(diff)), [diff]);
  return <Lines rows={rows} label={label} />;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u;

/** Every line of a diff; between hunks, the names of its files. */
function rowsOf(diff: string): Row[] {
  let [before, after, left] = [0, 0, 0];
  let old = "";
  let language: string | undefined;
  const rowOf = (line: string, next: string): Row[] => {
    const mark = line.charAt(0);
    // Only between hunks a line can be a head, or a file could pretend that its text is one.
    if (left > 0 && mark !== "\\") {
      const kind = mark === "+" ? "added" : mark === "-" ? "removed" : undefined;
      left -= kind ? 1 : 2;
      if (kind !== "added") before++;
      if (kind !== "removed") after++;
      return [{ text: line.slice(1), number: `${kind === "removed" ? before : after} ${mark}`, language, kind }];
    }
    const hunk = HUNK.exec(line);
    if (hunk) {
      const [from = 1, removed = 1, to = 1, added = 1] = hunk.slice(1).map((count?: string) => Number(count ?? 1));
      [before, after, left] = [from - 1, to - 1, removed + added];
      return from > 1 ? [{ text: "", number: "⋯" }] : [];
    }
    const [, sign, path = ""] = /^(---|\+\+\+) (?:[ab]\/)?(.*)$/u.exec(line) ?? [];
    if (sign === "---") old = path;
    if (sign !== "+++") return sign === undefined && !next.startsWith("--- ") ? [{ text: line }] : [];
    const paths = [...new Set([old, path])].filter((one) => one !== "/dev/null");
    language = /\.(\w+)$/u.exec(paths.at(-1) ?? "")?.[1];
    return paths.map((one) => ({ text: one, kind: "head" }));
  };
  const lines = diff.replace(/\n$/u, "").split("\n");
  const rows = lines.flatMap((line, index) => rowOf(line, lines[index + 1] ?? ""));
  // One file is named where its diff stands.
  return rows.filter(({ kind }) => kind === "head").length > 1 ? rows : rows.filter(({ kind }) => kind !== "head");
}
