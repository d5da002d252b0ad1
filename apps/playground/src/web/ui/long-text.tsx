import { useState } from "react";

const CHUNK_LINES = 100;
const CLIP_LINES = 2000;

interface LongTextProps {
  readonly lines: readonly string[];
  /** A number beside each line, where it has one. */
  readonly numbers?: readonly (string | undefined)[];
  readonly label: string;
}

/**
 * Text of any length that stays smooth: chunks out of sight are not laid out (`content-visibility`), and past some
 * thousand lines the rest waits for a click.
 */
export function LongText({ lines, numbers, label }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? lines : lines.slice(0, CLIP_LINES);
  const chunks = Array.from({ length: Math.ceil(shown.length / CHUNK_LINES) }, (_, index) => index * CHUNK_LINES);
  return (
    <div className="long-text" role="region" aria-label={label} tabIndex={0}>
      <div className="long-text-body">
        {chunks.map((start) => (
          <pre
            key={start}
            style={{ containIntrinsicHeight: `auto ${Math.min(CHUNK_LINES, shown.length - start) * 1.55}em` }}
          >
            {shown.slice(start, start + CHUNK_LINES).map((line, index) => (
              <span className="line" key={start + index}>
                {numbers && <span className="number">{numbers[start + index]}</span>}
                {line}
                {"\n"}
              </span>
            ))}
          </pre>
        ))}
      </div>
      {shown.length < lines.length && (
        <button
          type="button"
          className="quiet"
          onClick={() => {
            setWhole(true);
          }}
        >
          Show all {lines.length} lines
        </button>
      )}
    </div>
  );
}
