import { renderForModel } from "@fstools/protocol";
import { useState } from "react";
import type { Envelope } from "../../envelope.ts";
import { nextCall } from "../../next-call.ts";
import { hrefOf } from "../route.ts";
import { Icon } from "../ui/icon.tsx";
import { LongText } from "../ui/long-text.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Conformance } from "./conformance.tsx";
import { DataView } from "./data-view.tsx";
import { TruncationNote } from "./truncation-note.tsx";
import type { ToolRun } from "./use-tool-run.ts";
import { WaysOut } from "./ways-out.tsx";

type View = "text" | "data" | "json";

const VIEWS = [
  { value: "data", label: "Data" },
  { value: "text", label: "As the model reads it" },
  { value: "json", label: "JSON" },
] as const;

/** What came of a call: three views of the envelope, and where to go from it. */
export function ResultView({ run }: { readonly run: ToolRun }) {
  const [view, setView] = useState<View>("data");
  const [side, setSide] = useState<"before" | "after">("after");
  if (run.state === "failed") {
    return (
      <div className="problem" role="alert">
        {run.problem}
      </div>
    );
  }
  if (!run.result) return <p className="empty">Running…</p>;
  const { response, truncated } = run.result;
  const shown = truncated && side === "after" ? truncated : response;
  return (
    <section className={`result ${run.state}`} aria-label="Result" aria-busy={run.state === "running"}>
      <ResultHeader run={run} response={shown} />
      {truncated && <TruncationNote before={response} after={truncated} side={side} onSide={setSide} />}
      {shown.status !== "success" && <Remark response={shown} />}
      {shown.status === "error" && <WaysOut tool={run.tool} params={run.params} response={shown} />}
      <Tabs
        label="View of the envelope"
        panel="result"
        choices={VIEWS}
        value={view}
        onChange={setView}
        className="views"
      />
      <div id="result-panel" role="tabpanel" aria-labelledby={`result-tab-${view}`}>
        <Body key={`${view} ${side} ${hrefOf(run.tool, run.params)}`} view={view} response={shown} />
      </div>
    </section>
  );
}

function ResultHeader({ run, response }: { readonly run: ToolRun; readonly response: Envelope }) {
  const next = nextCall(run.tool, run.params, response);
  const stats = Object.entries(response.stats);
  return (
    <header className="result-header">
      <StatusBadge status={response.status} code={response.error?.code} />
      <Conformance tool={run.tool} response={response} />
      {next && (
        <a className="button next" href={hrefOf(run.tool, next)}>
          {next.limit === run.params.limit ? "Next page" : `Raise limit to ${String(next.limit)}`} <Icon name="next" />
        </a>
      )}
      <dl className="stats">
        {stats.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

/** The part of `text` that says what is missing or wrong, and what to do. */
function Remark({ response }: { readonly response: Envelope }) {
  const lines = response.text.split("\n\n", 1)[0]?.split("\n") ?? [];
  const wholly = response.status === "error" || "truncation" in response.data;
  const telling = wholly ? lines : lines.filter((line) => /^\[|^Use /u.test(line));
  return <p className={`remark ${response.status}`}>{telling.join("\n")}</p>;
}

function Body({ view, response }: { readonly view: View; readonly response: Envelope }) {
  switch (view) {
    case "data":
      return <DataView response={response} />;
    case "text":
      return <LongText label="Text for the model" lines={renderForModel(response).split("\n")} />;
    case "json":
      return <LongText label="JSON" lines={JSON.stringify(response, undefined, 2).split("\n")} />;
  }
}
