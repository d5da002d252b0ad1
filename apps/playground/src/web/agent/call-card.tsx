import { memo } from "react";
import { hrefOf } from "../route.ts";
import { byteSize } from "../ui/byte-size.ts";
import { Icon } from "../ui/icon.tsx";
import { LongText } from "../ui/long-text.tsx";
import { shortValue } from "../ui/short-value.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { tokenCount } from "../ui/token-count.ts";
import type { Piece } from "./conversation.ts";

type CallPiece = Extract<Piece, { kind: "call" }>;

/** One tool call: its parameters, how it went, and the envelope on demand. */
export const CallCard = memo(function CallCard({ call }: { readonly call: CallPiece }) {
  const { tool, input, result, problem } = call;
  const params = typeof input === "object" && input !== null ? input : {};
  return (
    <details className="call">
      <summary>
        <span className="tool-name">{tool}</span>
        <span className="params">
          {Object.entries(params).map(([name, value]) => (
            <span key={name} className="param">
              <span className="param-name">{name}</span> {shortValue(value)}
            </span>
          ))}
        </span>
        {/* With a key, so that the outcome takes the place of "running" instead of moving it. */}
        <Outcome key={result ? "result" : "running"} call={call} />
      </summary>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {result && (
        <div className="call-body">
          <p className="call-links">
            <a href={hrefOf(tool, { ...params })}>Open in the bench</a>
          </p>
          <LongText label="What the model read" lines={result.modelText.split("\n")} />
          <details>
            <summary>Envelope</summary>
            <LongText label="Envelope" lines={JSON.stringify(result.response, undefined, 2).split("\n")} />
          </details>
        </div>
      )}
    </details>
  );
});

function Outcome({ call: { result, problem } }: { readonly call: CallPiece }) {
  if (problem !== undefined)
    return (
      <span className="outcome">
        <span className="badge error">
          <Icon name="error" /> not run
        </span>
      </span>
    );
  if (!result)
    return (
      <span className="outcome">
        <span className="badge running">running</span>
      </span>
    );
  return (
    <span className="outcome">
      {result.keptOutBytes > 0 && <span className="kept-out">−{byteSize(result.keptOutBytes)}</span>}
      <span className="figures">
        {tokenCount(result.tokens.entered)} tokens · {result.elapsedMs} ms
      </span>
      <StatusBadge status={result.response.status} code={result.response.error?.code} quiet />
    </span>
  );
}
