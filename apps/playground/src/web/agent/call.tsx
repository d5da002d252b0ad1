import { escapeText, renderForModel, type ToolResponse } from "@fstools/protocol";
import { getToolName, type DynamicToolUIPart, type ToolUIPart } from "ai";
import { placesOf, verbOf, type CallFacts, type Change, type Facts } from "../../agent/messages.ts";
import type { Params } from "../../envelope.ts";
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
  readonly facts: Facts;
}

/** A call: what was asked, how it ended and what it cost; what the model reads on demand; a change with its diff. */
export function Call({ part, facts, ...actions }: CallProps) {
  const name = getToolName(part);
  const params = (part.input ?? {}) as Params;
  const response = part.state === "output-available" ? (part.output as ToolResponse<object>) : undefined;
  const cost = facts.calls?.[part.toolCallId];
  const change = facts.changes?.[part.toolCallId];
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
          {cost && (
            <span className="cost">
              {cost.tokens.entered.toLocaleString("en")} tokens<span className="wide-only"> · {cost.ms} ms</span>
            </span>
          )}
          <Badge state={state}>{words}</Badge>
        </summary>
        <div className="call-body">
          {response && <Lines label={`What the model reads of ${name}`} rows={plainRows(renderForModel(response))} />}
          {part.state === "output-error" && <p className="problem">{part.errorText}</p>}
          <a href={hrefOf(name, params)}>Open in the tool bench</a>
        </div>
      </details>
      {response && <Picture response={response} />}
      {change && <ChangeCard {...{ part, change, cost, response, ...actions }} />}
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

interface ChangeProps extends CallActions {
  readonly part: Part;
  readonly change: Change;
  readonly cost: CallFacts | undefined;
  readonly response: ToolResponse<object> | undefined;
}

/** A change that an agent wants to make: the whole diff, and the reader's word. */
function ChangeCard({ part, change, cost, response, onDecide, onUndo }: ChangeProps) {
  const { changeId, isUndone = false } = cost ?? { changeId: undefined };
  const where = escapeText(placesOf(change));
  const asks = `${change.tool} wants to ${verbOf(change)}`;
  const decide = (approvalId: string, approved: boolean) => (
    <button type="button" className={approved ? "primary" : ""} onClick={() => onDecide(approvalId, approved)}>
      {approved ? "Approve" : "Decline"}
    </button>
  );
  return (
    <section className={`change ${part.state}`} aria-label={`${asks} ${where}`}>
      <header>
        {asks} <code>{where}</code>
      </header>
      <DiffView diff={change.diff} label={`Diff of ${where}`} />
      <footer>
        {part.state === "approval-requested" ? (
          <>
            {decide(part.approval.id, true)}
            {decide(part.approval.id, false)}
            <span className="hint">Nothing is written until you approve.</span>
          </>
        ) : (
          <>
            <span role="status">{isUndone ? "Undone: all is as it was before." : outcomeOf(part, response)}</span>
            {changeId !== undefined && !isUndone && (
              <button type="button" onClick={() => onUndo(changeId)}>
                Undo
              </button>
            )}
          </>
        )}
      </footer>
    </section>
  );
}

function outcomeOf(part: Part, response: ToolResponse<object> | undefined): string {
  if (part.state === "output-denied") return "Declined, nothing was written.";
  if (!response) return part.state === "approval-responded" && !part.approval.approved ? "Declined." : "Approved.";
  if (!response.error) return "Approved and written.";
  return part.approval?.approved === true && response.error.code === "ACCESS_DENIED"
    ? "Not written: the files have changed since you saw this."
    : `Not written: ${response.error.message}`;
}
