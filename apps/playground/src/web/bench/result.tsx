import { checkResponse, renderForModel } from "@fstools/protocol";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { useState } from "react";
import { shownSchema, type Envelope, type Params } from "../../envelope.ts";
import type { ToolResult } from "../../server/api.ts";
import { hrefOf } from "../route.ts";
import { Badge } from "../ui/badge.tsx";
import { DiffView } from "../ui/diff.tsx";
import { Lines, plainRows } from "../ui/lines.tsx";
import { Picture } from "../ui/picture.tsx";
import { marksOf, rowsOf } from "./rows.ts";

/** A call that was made, and its answer. */
export interface Made extends ToolResult {
  readonly tool: string;
  readonly params: Params;
}

interface ResultProps {
  readonly made: Made;
  readonly previous: Made | undefined;
  readonly onApply: () => void;
  readonly onUndo: (changeId: string) => void;
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
export function Result({ made, previous, onApply, onUndo }: ResultProps) {
  const [view, setView] = useState<View>("data");
  const { tool, params, response, changeId } = made;
  const tokens: Readonly<Partial<Record<View, number>>> = made.tokens;
  const { status, error, stats, data } = response;
  const { next_call: next, suggestions = [] } = response.context;
  const isDryRun = "applied" in data && data.applied === false;
  const views = (Object.keys(VIEWS) as View[]).filter((id) => id !== "compare" || previous);
  const [name, explanation] = VIEWS[view];
  const violations = checkResponse(response).map(({ rule, message }) => `${rule}: ${message}`);
  const texts: Readonly<Partial<Record<View, string>>> = {
    view: renderForModel(response),
    document: renderForModel(response, { layout: "document" }),
    envelope: JSON.stringify(response, undefined, 2),
  };
  const text = texts[view];
  return (
    <section className="result" aria-label="Result">
      <p className="call-line">
        <strong>{tool}</strong> {wordsOf(params)}
      </p>
      <div className="actions">
        <p role="status">
          <Badge state={status}>{error?.code ?? status}</Badge>
          <span title="What checkResponse finds, in this browser">
            {violations.join(" ") || "conforms to the protocol"}
          </span>
          <span>{stats.time_ms} ms</span>
        </p>
        {isDryRun && (
          <button type="button" className="primary" onClick={onApply}>
            Apply this change
          </button>
        )}
        {changeId !== undefined && (
          <button type="button" onClick={() => onUndo(changeId)}>
            {tool === "Undo" ? "Redo" : "Undo"}
          </button>
        )}
        {next && !isDryRun && (
          <a className="button" href={hrefOf(next.tool, next.params)}>
            {next.tool === tool ? "Next page" : `Next: ${next.tool}`}
          </a>
        )}
        {suggestions.map((path) => (
          <a key={path} className="button" href={hrefOf(tool, { ...params, path })}>
            Open {path}
          </a>
        ))}
      </div>
      <fieldset className="tabs" aria-label="View of the answer">
        {views.map((id) => (
          <label key={id} title={VIEWS[id][1]}>
            <input type="radio" name="view" checked={id === view} onChange={() => setView(id)} />
            {VIEWS[id][0]}
            {tokens[id] !== undefined && <small>{tokens[id]} tokens</small>}
          </label>
        ))}
      </fieldset>
      <p className="hint">{explanation}</p>
      {view === "data" && <DataView response={response} marks={marksOf(tool, params)} />}
      {view === "compare" && previous && <DiffView diff={comparison(previous, made)} label="Comparison" />}
      {text !== undefined && <Lines label={name} rows={plainRows(text, view === "envelope" ? "json" : undefined)} />}
    </section>
  );
}

function DataView({ response, marks }: { readonly response: Envelope; readonly marks: RegExp | undefined }) {
  const rows = rowsOf(response);
  const { diff_preview: diff } = shownSchema.parse(response.data);
  // What follows the first paragraph is what stands below as rows, or as a diff.
  const words = rows.length > 0 || diff !== "" ? response.text.split("\n\n", 1) : response.text;
  return (
    <>
      {(rows.length === 0 || response.status !== "success") && <p className="words">{words}</p>}
      <Picture response={response} />
      {diff !== "" && <DiffView diff={diff} label="Diff" />}
      {rows.length > 0 && <Lines label="Data" rows={rows} marks={marks} />}
    </>
  );
}

function comparison(before: Made, after: Made): string {
  const title = ({ tool, params }: Made) => `${tool} ${wordsOf(params)}`;
  const text = ({ response }: Made) => `${renderForModel(response)}\n`;
  const options = { headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(title(before), title(after), text(before), text(after), undefined, undefined, options);
}

const wordsOf = (params: Params) =>
  Object.entries(params)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
