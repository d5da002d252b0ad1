import { useState } from "react";
import { z } from "zod";
import type { Envelope } from "../../envelope.ts";
import type { ToolResult } from "../../server/api.ts";
import { compactView, documentView } from "../../views.ts";
import { token, toolUrl, type Client } from "../api-client.ts";
import { hrefOf } from "../route.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { LongText } from "../ui/long-text.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { tokenCount } from "../ui/token-count.ts";
import { paramWords } from "./call-words.ts";
import { Conformance } from "./conformance.tsx";
import { DataView } from "./data-view.tsx";
import { curlCommand, mcpRequest, typescriptSnippet } from "./snippets.ts";
import { TruncationNote } from "./truncation-note.tsx";
import type { ToolRun } from "./use-tool-run.ts";
import { WaysOut } from "./ways-out.tsx";

type View = "data" | "compact" | "document" | "envelope";

interface ResultViewProps {
  readonly run: ToolRun;
  readonly client: Client;
  /** Makes the call that was tried by a dry run. */
  readonly onApply: () => void;
}

/** The result of a call: the views of the envelope, and where to go from here. */
export function ResultView({ run, client, onApply }: ResultViewProps) {
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
      <ResultHeader run={run} response={shown} onApply={onApply} />
      {truncated && <TruncationNote before={response} after={truncated} side={side} onSide={setSide} />}
      {shown.status !== "success" && <Remark response={shown} />}
      {shown.status === "error" && <WaysOut tool={run.tool} params={run.params} response={shown} />}
      <Tabs
        label="View of the envelope"
        panel="result"
        choices={viewChoices(run.result)}
        value={view}
        onChange={setView}
        className="views"
      />
      <div id="result-panel" role="tabpanel" aria-labelledby={`result-tab-${view}`}>
        <Body key={`${view} ${side} ${hrefOf(run.tool, run.params)}`} view={view} response={shown} />
      </div>
      <CopyRow run={run} response={shown} client={client} />
    </section>
  );
}

function viewChoices({ tokens }: ToolResult) {
  const labelled = (words: string, cost: number) => (
    <>
      {words} <small>{tokenCount(cost)} tokens</small>
    </>
  );
  return [
    { value: "data", label: "Data" },
    { value: "compact", label: labelled("For the model", tokens.compact) },
    { value: "document", label: labelled("Document", tokens.document) },
    { value: "envelope", label: labelled("Envelope", tokens.envelope) },
  ] as const;
}

const dryRun = z.object({ applied: z.literal(false) });

function ResultHeader({ run, response, onApply }: Omit<ResultViewProps, "client"> & { readonly response: Envelope }) {
  const next = response.context.next_call;
  const stats = Object.entries(response.stats);
  const canApply = response.status === "partial" && dryRun.safeParse(response.data).success;
  return (
    <header className="result-header">
      <p className="result-call">
        <strong>{run.tool}</strong> {paramWords(run)}
      </p>
      <StatusBadge status={response.status} code={response.error?.code} />
      <Conformance tool={run.tool} response={response} />
      {canApply && (
        <button type="button" className="primary apply" onClick={onApply}>
          Apply this change
        </button>
      )}
      {next && !canApply && (
        <a className="button next" href={hrefOf(next.tool, next.params)}>
          {next.tool === run.tool ? "Next page" : `Go on with ${next.tool}`} <Icon name="next" />
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
  const cut = "truncation" in response.data;
  const telling = response.status === "error" || cut ? lines : lines.filter((line) => /^\[|^Use /u.test(line));
  return (
    <p className={`remark ${response.status}`}>
      {cut && <span className="translation">“输出过大已截断” means: the output was too large and was cut.{"\n"}</span>}
      {telling.join("\n")}
    </p>
  );
}

function Body({ view, response }: { readonly view: View; readonly response: Envelope }) {
  switch (view) {
    case "data":
      return <DataView response={response} />;
    case "compact":
      return <LongText label="Text for the model" lines={compactView(response).split("\n")} />;
    case "document":
      return <LongText label="Document layout" lines={documentView(response).split("\n")} />;
    case "envelope":
      return <LongText label="Envelope" lines={JSON.stringify(response, undefined, 2).split("\n")} />;
  }
}

function CopyRow({ run, response, client }: { run: ToolRun; response: Envelope; client: Client }) {
  const { tool, params } = run;
  const url = `${window.location.origin}${toolUrl(tool, client.project)}`;
  return (
    <div className="copy-row" role="group" aria-label="Copy">
      <span>Copy</span>
      <CopyButton label="JSON" text={() => JSON.stringify(response, undefined, 2)} />
      <CopyButton label="view" text={() => compactView(response)} />
      <CopyButton label="TypeScript" text={() => typescriptSnippet(tool, params)} />
      <CopyButton label="MCP request" text={() => mcpRequest(tool, params)} />
      <CopyButton label="curl" text={() => curlCommand(url, token, params)} />
    </div>
  );
}
