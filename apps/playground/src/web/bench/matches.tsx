import { hrefOf } from "../route.ts";

/** A match of Grep. */
export interface Match {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly count?: number | undefined;
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
}

const AROUND = 20;

/** Matches by file; each opens in Read with the lines around it. */
export function Matches({ matches }: { readonly matches: readonly Match[] }) {
  if (matches.length === 0) return <p className="empty">No match.</p>;
  const files = new Map<string, Match[]>();
  for (const match of matches) files.set(match.file, [...(files.get(match.file) ?? []), match]);
  return (
    <div className="matches rows" role="region" aria-label="Matches" tabIndex={0}>
      {[...files].map(([file, found]) => (
        <div key={file} className="match-file">
          <a href={hrefOf("Read", { path: file })}>{file}</a>
          {found.map((match, index) => (
            <a key={match.line} className="match" href={hrefAround(match)}>
              {linesOf(match, lastLineOf(found[index - 1]), found[index + 1]?.line).map((line) => (
                <MatchLine key={line.number} {...line} />
              ))}
            </a>
          ))}
        </div>
      ))}
    </div>
  );
}

/** A match with the lines around it, without those that its neighbours show. */
function linesOf({ line, text, count, before = [], after = [] }: Match, shownTo: number, next = Infinity) {
  const above = before.map((one, index) => ({ number: line - before.length + index, text: one }));
  const below = after.map((one, index) => ({ number: line + 1 + index, text: one }));
  return [
    ...above.filter(({ number }) => number > shownTo),
    { number: line, text, hit: true, count },
    ...below.filter(({ number }) => number < next),
  ];
}

function lastLineOf(match: Match | undefined): number {
  return match ? match.line + (match.after?.length ?? 0) : 0;
}

function hrefAround({ file, line }: Match): string {
  return hrefOf("Read", { path: file, start_line: Math.max(1, line - AROUND / 2), limit: AROUND });
}

interface MatchLineProps {
  readonly number: number;
  readonly text: string;
  readonly hit?: boolean;
  readonly count?: number | undefined;
}

function MatchLine({ number, text, hit = false, count }: MatchLineProps) {
  return (
    <span className={`line ${hit ? "hit" : ""}`}>
      <span className="number">{number}</span>
      <span className="text">{text}</span>
      {count !== undefined && <span className="count">{count} in all</span>}
    </span>
  );
}
