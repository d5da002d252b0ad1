import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import { Rows } from "../ui/rows.tsx";
import { pairLines, parseDiff, type DiffLine } from "./parse-diff.ts";

const ROW_HEIGHT = 20;
const SIDE_BY_SIDE_WIDTH = 620;
const SIDE_BY_SIDE_CHARS = 60;

/** A unified diff: side by side where there is room, else one below the other. */
export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => parseDiff(diff), [diff]);
  // Half of the width would cut longer lines.
  const wide = useIsWide(box) && lines.every(({ text }) => text.length <= SIDE_BY_SIDE_CHARS);
  const pairs = useMemo(() => pairLines(lines), [lines]);
  const render = (index: number) => {
    const line = lines[index];
    if (!wide)
      return (
        <div key={index} className={`diff-row ${line?.kind ?? ""}`}>
          {line && <Unified line={line} />}
        </div>
      );
    const pair = pairs[index];
    return (
      <div key={index} className="diff-row split">
        <Side line={pair?.left} number={pair?.left?.before} />
        <Side line={pair?.right} number={pair?.right?.after} />
      </div>
    );
  };
  return (
    <div className="diff" ref={box}>
      {lines.length === 0 ? (
        <p className="empty">No line changes.</p>
      ) : (
        <Rows
          className="diff-rows"
          label={label}
          count={wide ? pairs.length : lines.length}
          rowHeight={ROW_HEIGHT}
          render={render}
        />
      )}
    </div>
  );
}

const SIGNS = { add: "+", remove: "−", same: " ", gap: " " } as const;

function Unified({ line }: { readonly line: DiffLine }) {
  return (
    <>
      <span className="number">{line.before}</span>
      <span className="number">{line.after}</span>
      <span className="sign">{SIGNS[line.kind]}</span>
      <span className="text">{line.text}</span>
    </>
  );
}

function Side({ line, number }: { readonly line: DiffLine | undefined; readonly number: number | undefined }) {
  return (
    <div className={`side ${line?.kind ?? "none"}`}>
      <span className="number">{number}</span>
      <span className="sign">{line && SIGNS[line.kind]}</span>
      <span className="text">{line?.text}</span>
    </div>
  );
}

function useIsWide(box: RefObject<HTMLDivElement | null>): boolean {
  const [wide, setWide] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = () => {
      setWide(element.clientWidth >= SIDE_BY_SIDE_WIDTH);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [box]);
  return wide;
}
