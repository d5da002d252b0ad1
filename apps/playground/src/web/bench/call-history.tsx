import { useState } from "react";
import { compactView } from "../../views.ts";
import { hrefOf } from "../route.ts";
import { LongText } from "../ui/long-text.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { tokenCount } from "../ui/token-count.ts";
import { paramWords } from "./call-words.ts";
import type { PastCall } from "./use-call-history.ts";

interface CallHistoryProps {
  readonly calls: readonly PastCall[];
  readonly onForget: () => void;
}

/** Earlier calls: each can be made again, and two can be compared. */
export function CallHistory({ calls, onForget }: CallHistoryProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  if (calls.length < 2) return null;
  const compared = chosen.flatMap((id) => calls.find((call) => call.id === id) ?? []);
  return (
    <section className="history" aria-labelledby="history-title">
      <header>
        <h3 id="history-title">Earlier calls</h3>
        <span className="hint">{compared.length < 2 ? "Tick two to compare them." : ""}</span>
        <button type="button" className="quiet" onClick={onForget}>
          Clear
        </button>
      </header>
      <ul>
        {calls.map((call) => (
          <li key={call.id}>
            <input
              type="checkbox"
              aria-label={`Compare ${describe(call)}`}
              checked={chosen.includes(call.id)}
              onChange={({ target }) => {
                const others = chosen.filter((id) => id !== call.id);
                setChosen(target.checked ? [...others, call.id].slice(-2) : others);
              }}
            />
            <a href={hrefOf(call.tool, call.params)}>
              <strong>{call.tool}</strong> {paramWords(call)}
            </a>
            <span className="figures">{tokenCount(call.result.tokens.compact)} tokens</span>
            <StatusBadge status={shownOf(call).status} quiet />
          </li>
        ))}
      </ul>
      {compared.length === 2 && (
        <div className="comparison" role="group" aria-label="Comparison">
          {compared.map((call) => (
            <Side key={call.id} call={call} />
          ))}
        </div>
      )}
    </section>
  );
}

function Side({ call }: { readonly call: PastCall }) {
  const { result } = call;
  return (
    <div className="compared">
      <p>
        <strong>{call.tool}</strong> {paramWords(call)}
      </p>
      <p className="figures">
        {tokenCount(result.tokens.compact)} tokens · {result.response.stats.time_ms} ms · {shownOf(call).status}
      </p>
      <LongText label={`Answer of ${describe(call)}`} lines={compactView(shownOf(call)).split("\n")} />
    </div>
  );
}

function shownOf({ result }: PastCall) {
  return result.truncated ?? result.response;
}

function describe(call: PastCall): string {
  return `${call.tool} ${paramWords(call)}`;
}
