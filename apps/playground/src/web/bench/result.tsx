import { checkResponse, renderForModel, type ToolResponse } from "@fstools/protocol";
import { createTwoFilesPatch } from "diff";
import { useState } from "react";
import type { ToolResult } from "../../server/api.ts";
import { hrefOf, type Params } from "../route.ts";
import { Copy } from "../ui/copy.tsx";
import { DiffView } from "../ui/diff.tsx";
import { Lines, plainRows } from "../ui/lines.tsx";
import { Picture } from "../ui/picture.tsx";
import { marksOf, rowsOf } from "./rows.ts";
import { Tabs } from "./tabs.tsx";

/** A call that was made, and its answer. */
export interface Made {
  readonly tool: string;
  readonly params: Params;
  readonly result: ToolResult;
  readonly isWriting: boolean;
}

interface ResultProps {
  readonly made: Made;
  readonly previous: Made | undefined;
  readonly onApply: () => void;
}

const VIEWS = {
  data: ["Data", "What the tool found, with links that lead on."],
  view: ["Model's view", "What enters the model's context: the cheapest text that says it all."],
  document: ["Document", "The layout of the tool's specification: longer, for comparison."],
  envelope: ["Envelope", "What a program gets: status, data, text, stats and context as JSON."],
  compare: ["Compare", "The model's view of the call before this one, and of this one."],
} as const;

type View = keyof typeof VIEWS;

/** An answer in several forms, and the calls that it leads to. */
export function Result({ made, previous, onApply }: ResultProps) {
  const [view, setView] = useState<View>("data");
  const { tool, params, result, isWriting } = made;
  const shown = result.truncated ?? result.response;
  const { status, error, context, stats, data } = shown;
  const views = (Object.keys(VIEWS) as View[]).filter((name) => name !== "compare" || previous);
  const [name, explanation] = VIEWS[view];
  const violations = checkResponse(result.response).map(({ rule, message }) => `${rule}: ${message}`);
  const isDryRun = isWriting && !error && "applied" in data && data.applied === false;
  const json = JSON.stringify(shown, undefined, 2);
  const texts = {
    view: renderForModel(shown),
    document: renderForModel(shown, { layout: "document" }),
    envelope: json,
  };
  const text = view === "data" || view === "compare" ? json : texts[view];
  return (
    <section className={`result ${status}`} aria-label="Result">
      <header>
        <p className="call-line">
          <strong>{tool}</strong> {Object.entries(params).map(([key, value]) => `${key}=${String(value)} `)}
        </p>
        <p role="status">
          <span className={`badge ${status}`}>{error?.code ?? status}</span>
          <span title="What checkResponse finds, in this browser">{violations.join(" ") || "conforms"}</span>
          <span>{stats.time_ms} ms</span>
        </p>
        <div className="actions">
          {isDryRun && (
            <button type="button" className="primary" onClick={onApply}>
              Apply this change
            </button>
          )}
          {context.next_call && (
            <a className="button" href={hrefOf(context.next_call.tool, context.next_call.params)}>
              Next page
            </a>
          )}
          {context.suggestions?.map((path) => (
            <a key={path} className="button" href={hrefOf(tool, { ...params, path })}>
              Open {path}
            </a>
          ))}
        </div>
        <Tabs
          label="View of the answer"
          tabs={views.map((id) => ({ id, words: VIEWS[id] }))}
          tokens={result.tokens}
          selected={view}
          onSelect={setView}
        />
      </header>
      <div id="answer">
        <p className="hint">{explanation}</p>
        {view === "data" ? (
          <DataView response={shown} marks={marksOf(tool, params)} />
        ) : view === "compare" && previous ? (
          <DiffView diff={comparison(previous, made)} label="Comparison" />
        ) : (
          <Lines label={name} rows={plainRows(text, view === "envelope" ? "json" : undefined)} />
        )}
      </div>
      <footer>
        <Copy key={text} what={text === json ? "JSON" : name.toLowerCase()} text={text} />
      </footer>
    </section>
  );
}

function DataView({
  response,
  marks,
}: {
  readonly response: ToolResponse<object>;
  readonly marks?: RegExp | undefined;
}) {
  const rows = rowsOf(response);
  const { diff_preview: diff = "", preview } = response.data as { diff_preview?: string; preview?: string };
  return (
    <>
      {(rows.length === 0 || response.status !== "success") && <p className="words">{response.text}</p>}
      <Picture response={response} />
      {diff !== "" && <DiffView diff={diff} label="Diff" />}
      {preview !== undefined && <Lines label="Preview" rows={plainRows(preview)} />}
      {rows.length > 0 && <Lines label="Data" rows={rows} marks={marks} />}
    </>
  );
}

function comparison(before: Made, after: Made): string {
  const [old = "", now = ""] = [before, after].map(
    ({ result }) => `${renderForModel(result.truncated ?? result.response)}\n`,
  );
  const title = ({ tool, params }: Made) => `${tool} ${JSON.stringify(params)}`;
  return createTwoFilesPatch(title(before), title(after), old, now);
}
