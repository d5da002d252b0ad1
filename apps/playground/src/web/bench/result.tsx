import { checkResponse, renderForModel, type ToolResponse } from "@fstools/protocol";
import { createTwoFilesPatch } from "diff";
import { useState } from "react";
import type { ToolResult } from "../../server/api.ts";
import { hrefOf, type Params } from "../route.ts";
import { Copy } from "../ui/copy.tsx";
import { DiffView } from "../ui/diff.tsx";
import { Lines } from "../ui/lines.tsx";
import { Picture } from "../ui/picture.tsx";
import { marksOf, rowsOf } from "./rows.ts";

/** A call that was made, and its answer. */
export interface Made {
  readonly tool: string;
  readonly params: Params;
  readonly result: ToolResult;
}

interface ResultProps {
  readonly made: Made;
  readonly previous: Made | undefined;
  readonly isWriting: boolean;
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
export function Result({ made, previous, isWriting, onApply }: ResultProps) {
  const [view, setView] = useState<View>("data");
  const { tool, params, result } = made;
  const shown = result.truncated ?? result.response;
  const views = (Object.keys(VIEWS) as View[]).filter((name) => name !== "compare" || previous);
  const text = textOf(view, shown);
  const violations = checkResponse(result.response);
  const { next_call: next, suggestions = [] } = shown.context;
  const isDryRun = isWriting && !shown.error && (shown.data as { readonly applied?: boolean }).applied === false;
  return (
    <section className={`result done ${shown.status}`} aria-label="Result">
      <header>
        <p className="call-line">
          <strong>{tool}</strong>{" "}
          {Object.entries(params)
            .map(([name, value]) => `${name}=${String(value)}`)
            .join(" ")}
        </p>
        <p role="status">
          <span className={`badge ${shown.status}`}>{shown.error?.code ?? shown.status}</span>
          <span title="What checkResponse finds, in this browser">
            {violations.length === 0
              ? "conforms"
              : violations.map(({ rule, message }) => `${rule}: ${message}`).join(" ")}
          </span>
          <span>{shown.stats.time_ms} ms</span>
        </p>
        <div className="actions">
          {isDryRun && (
            <button type="button" className="primary" onClick={onApply}>
              Apply this change
            </button>
          )}
          {next && (
            <a className="button" href={hrefOf(next.tool, next.params)}>
              Next page
            </a>
          )}
          {suggestions.map((path) => (
            <a key={path} className="button" href={hrefOf(tool, { ...params, path })}>
              Open {path}
            </a>
          ))}
        </div>
        <div className="tabs" role="tablist" aria-label="View of the answer">
          {views.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={view === name}
              aria-controls="answer"
              tabIndex={view === name ? 0 : -1}
              title={VIEWS[name][1]}
              onClick={() => {
                setView(name);
              }}
              onKeyDown={({ key, currentTarget }) => {
                const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
                const to = views[(views.indexOf(view) + step + views.length) % views.length];
                if (step === 0 || !to) return;
                setView(to);
                currentTarget.parentElement?.querySelector<HTMLElement>(`#tab-${to}`)?.focus();
              }}
            >
              {VIEWS[name][0]}
              {name in result.tokens && <small>{result.tokens[name as keyof ToolResult["tokens"]]} tokens</small>}
            </button>
          ))}
        </div>
      </header>
      <div id="answer" role="tabpanel" aria-labelledby={`tab-${view}`}>
        <p className="hint">{VIEWS[view][1]}</p>
        {view === "data" ? (
          <DataView response={shown} marks={marksOf(tool, params)} />
        ) : view === "compare" && previous ? (
          <DiffView diff={comparison(previous, made)} label="Comparison" />
        ) : (
          <Lines
            label={VIEWS[view][0]}
            rows={text.split("\n").map((line) => ({ text: line, language: view === "envelope" ? "json" : undefined }))}
          />
        )}
      </div>
      <footer>
        <Copy
          key={`${view} ${text}`}
          what={view === "compare" || view === "data" ? "JSON" : VIEWS[view][0].toLowerCase()}
          text={() => text}
        />
        <Copy key={JSON.stringify(params)} what="as TypeScript" text={() => snippetOf(made)} />
      </footer>
    </section>
  );
}

function textOf(view: View, response: ToolResponse<object>): string {
  if (view === "view") return renderForModel(response);
  if (view === "document") return renderForModel(response, { layout: "document" });
  return JSON.stringify(response, undefined, 2);
}

function DataView({
  response,
  marks,
}: {
  readonly response: ToolResponse<object>;
  readonly marks: RegExp | undefined;
}) {
  const rows = rowsOf(response);
  const { diff_preview: diff, preview } = response.data as {
    readonly diff_preview?: string;
    readonly preview?: string;
  };
  const words = rows.length === 0 || response.status !== "success" ? response.text : "";
  return (
    <>
      {words !== "" && <p className="words">{words}</p>}
      <Picture response={response} />
      {diff !== undefined && diff !== "" && <DiffView diff={diff} label="Diff" />}
      {preview !== undefined && <Lines label="Preview" rows={preview.split("\n").map((text) => ({ text }))} />}
      {rows.length > 0 && <Lines label="Data" rows={rows} marks={marks} />}
    </>
  );
}

function comparison(before: Made, after: Made): string {
  const [old, now] = [before, after].map(({ result }) => `${renderForModel(result.truncated ?? result.response)}\n`);
  const title = ({ tool, params }: Made) => `${tool} ${JSON.stringify(params)}`;
  return createTwoFilesPatch(title(before), title(after), old ?? "", now ?? "");
}

/** A program that makes the call. */
function snippetOf({ tool, params }: Made): string {
  return `import { renderForModel } from "@fstools/protocol";
import { createToolset } from "@fstools/toolset";

const toolset = createToolset({ projectRoot: process.cwd(), tools: [${JSON.stringify(tool)}] });
const response = await toolset.tool(${JSON.stringify(tool)})?.run(${JSON.stringify(params)});
if (response) console.log(response.status, renderForModel(response));
`;
}
