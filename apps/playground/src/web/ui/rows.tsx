import { useLayoutEffect, useRef, useState, type ReactNode } from "react";

interface RowsProps {
  readonly count: number;
  /** In pixels; rows are all of one height once there are many. */
  readonly rowHeight: number;
  readonly label: string;
  readonly className: string;
  readonly render: (index: number) => ReactNode;
}

/** Up to this many, all rows exist, for the browser's own search and for screen readers. */
const MANY_ROWS = 600;
const SPARE_ROWS = 20;

/** Any number of rows in a box that scrolls; if there are many, only the visible ones exist. */
export function Rows(props: RowsProps) {
  const { count, label, className, render } = props;
  if (count > MANY_ROWS) return <ManyRows {...props} />;
  return (
    <div className={`rows ${className}`} role="region" aria-label={label} tabIndex={0}>
      <div className="rows-body">{Array.from({ length: count }, (_, index) => render(index))}</div>
    </div>
  );
}

function ManyRows({ count, rowHeight, label, className, render }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element) setView({ top: element.scrollTop, height: element.clientHeight });
  }, []);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE_ROWS);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + SPARE_ROWS);
  return (
    <div
      className={`rows many ${className}`}
      role="region"
      aria-label={`${label}, ${count} rows`}
      tabIndex={0}
      ref={box}
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) => {
        setView({ top: scrollTop, height: clientHeight });
      }}
    >
      <div className="rows-body" style={{ height: count * rowHeight }}>
        <div className="rows-window" style={{ top: first * rowHeight }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, index) => render(first + index))}
        </div>
      </div>
    </div>
  );
}
