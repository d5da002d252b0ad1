import { escapeText, renderForModel } from "@fstools/protocol";
import { getToolName, type DynamicToolUIPart, type ToolUIPart } from "ai";
import { placesOf, verbOf, type CallFacts, type Change } from "../../agent/messages.ts";
import type { Envelope, Params } from "../../envelope.ts";
import { hrefOf } from "../route.ts";
import { Badge } from "../ui/badge.tsx";
import { DiffView } from "../ui/diff.tsx";
import { Lines, plainRows } from "../ui/lines.tsx";
import { Picture } from "../ui/picture.tsx";

type Part = ToolUIPart | DynamicToolUIPart;

/** What a reader can do about a call. */
export interface CallActions {
  readonly onDecide: (approvalId: string, approved: boolean) => void;
  readonly onUndo: (changeId: string) => void;
}

interface CallProps extends CallActions {
  readonly part: Part;
  readonly facts: CallFacts;
}

/** A call: what was asked, how it ended and what it cost; what the model reads on demand; a change with its diff. */
export function Call({ part, facts, ...actions }: CallProps) {
  const name = getToolName(part);
  const params = (part.input ?? {}) as Params;
  const response = part.state === "output-available" ? (part.output as Envelope) : undefined;
  const [state, words] = response ? [response.status, response.error?.code ?? response.status] : STATES[part.state];
  return (
    <div className="call">
      <details>
        <summary>
          <code className="tool">{name}</code>
          <span className="params">
            {Object.entries(params).map(([key, value]) => (
              <span key={key}>
                {key} <code>{escapeText(typeof value === "string" ? value : JSON.stringify(value))}</code>
              </span>
            ))}
          </span>
          {facts.tokens && (
            <span className="cost">
              {facts.tokens.entered.toLocaleString("en")} tokens<span className="wide-only"> · {facts.ms} ms</span>
            </span>
          )}
          {/* A new element for new words: words that change in place count as moved. */}
          <Badge key={words} state={state}>
            {words}
          </Badge>
        </summary>
        <div className="call-body">
          {response && <Lines label={`What the model reads of ${name}`} rows={plainRows(renderForModel(response))} />}
          {part.state === "output-error" && <p className="problem">{part.errorText}</p>}
          <a href={hrefOf(name, params)}>Open in the tool bench</a>
        </div>
      </details>
      {response && <Picture response={response} />}
      {facts.change && <ChangeCard {...{ part, facts, ...actions }} change={facts.change} />}
    </div>
  );
}

const RUNNING = ["", "running"] as const;
const STATES: Readonly<Record<Part["state"], readonly [string, string]>> = {
  "input-streaming": RUNNING,
  "input-available": RUNNING,
  "approval-responded": RUNNING,
  "output-available": RUNNING,
  "approval-requested": ["partial", "waiting for you"],
  "output-denied": ["error", "declined"],
  "output-error": ["error", "failed"],
};

/** A change that an agent wants to make: the whole diff, and the reader's word. */
function ChangeCard({ part, facts, change, onDecide, onUndo }: CallProps & { readonly change: Change }) {
  const { changeId, isUndone = false } = facts;
  const where = escapeText(placesOf(change));
  const asks = `${change.tool} ${part.state === "approval-requested" ? "wants" : "wanted"} to ${verbOf(change)}`;
  const button = (word: string, onClick: () => void, className = "") => (
    <button type="button" {...{ className, onClick }}>
      {word}
    </button>
  );
  return (
    <div className="change" role="group" aria-label={`${asks} ${where}`}>
      <header>
        {asks} <code>{where}</code>
      </header>
      <DiffView diff={change.diff} label={`Diff of ${where}`} />
      {part.state === "approval-requested" ? (
        <footer>
          {button("Approve", () => onDecide(part.approval.id, true), "primary")}
          {button("Decline", () => onDecide(part.approval.id, false))}
          <span className="hint">Nothing is written until you approve.</span>
        </footer>
      ) : (
        <footer>
          <span role="status">{isUndone ? "Undone: all is as it was before." : outcomeOf(part)}</span>
          {changeId !== undefined && !isUndone && button("Undo", () => onUndo(changeId))}
        </footer>
      )}
    </div>
  );
}

function outcomeOf(part: Part): string {
  if (part.state === "output-denied") return "Declined, nothing was written.";
  if (part.state !== "output-available") return part.approval?.approved === false ? "Declined." : "Approved.";
  const { error } = part.output as Envelope;
  if (!error) return "Approved and written.";
  return error.code === "ACCESS_DENIED"
    ? "Not written: the files have changed since you saw this."
    : `Not written: ${error.message}`;
}
