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
          {found.map((match) => (
            <a key={match.line} className="match" href={hrefAround(match)}>
              {match.before?.map((text, index) => (
                <MatchLine key={index} number={match.line - (match.before?.length ?? 0) + index} text={text} />
              ))}
              <MatchLine number={match.line} text={match.text} hit count={match.count} />
              {match.after?.map((text, index) => (
                <MatchLine key={index} number={match.line + index + 1} text={text} />
              ))}
            </a>
          ))}
        </div>
      ))}
    </div>
  );
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
