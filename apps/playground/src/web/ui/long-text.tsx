import { useMemo } from "react";
import { Rows } from "./rows.tsx";

interface LongTextProps {
  readonly lines: readonly string[];
  /** A number beside each line, where it has one. */
  readonly numbers?: readonly (string | undefined)[];
  readonly label: string;
}

interface Row {
  readonly text: string;
  readonly number: string | undefined;
}

const ROW_HEIGHT = 20;
const LONG_LINE = 2000;
const PIECE = 500;

/** Text of any length that stays smooth; a very long line goes on in further rows. */
export function LongText({ lines, numbers, label }: LongTextProps) {
  const rows = useMemo(() => rowsOf(lines, numbers), [lines, numbers]);
  return (
    <Rows
      className="long-text"
      label={label}
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      render={(index) => (
        <div className="line" key={index}>
          {numbers && <span className="number">{rows[index]?.number}</span>}
          <span className="text">{rows[index]?.text}</span>
        </div>
      )}
    />
  );
}

function rowsOf(lines: readonly string[], numbers: LongTextProps["numbers"]): Row[] {
  return lines.flatMap((line, index): Row[] => {
    const number = numbers?.[index];
    if (line.length <= LONG_LINE) return [{ text: line, number }];
    return Array.from({ length: Math.ceil(line.length / PIECE) }, (_, piece) => ({
      text: line.slice(piece * PIECE, (piece + 1) * PIECE),
      number: piece === 0 ? number : "↪",
    }));
  });
}
