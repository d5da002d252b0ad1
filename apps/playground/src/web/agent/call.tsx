import { escapeText, renderForModel, type ToolResponse } from "@fstools/protocol";
import { getToolName, type DynamicToolUIPart, type ToolUIPart } from "ai";
import { placesOf, verbOf, type Change, type Facts } from "../../agent/messages.ts";
import { hrefOf, type Params } from "../route.ts";
import { Picture } from "../ui/picture.tsx";
import { DiffView } from "../ui/diff.tsx";
import { Lines } from "../ui/lines.tsx";

type Part = ToolUIPart | DynamicToolUIPart;

interface CallProps {
  readonly part: Part;
  readonly facts: Facts;
  readonly project: string;
  readonly onDecide: (approvalId: string, approved: boolean) => void;
}

/** A call: what was asked, how it ended and what it cost; what the model reads on demand; a change with its diff. */
export function Call({ part, facts, onDecide }: CallProps) {
  const name = getToolName(part);
  const params = (part.input ?? {}) as Params;
  const response = part.state === "output-available" ? (part.output as ToolResponse<object>) : undefined;
  const cost = facts.calls?.[part.toolCallId];
  const change = facts.changes?.[part.toolCallId];
  const [state, words] = stateOf(part, response);
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
          <span className={`badge ${state}`}>{words}</span>
        </summary>
        <div className="call-body">
          {response && (
            <Lines
              label={`What the model reads of ${name}`}
              rows={renderForModel(response)
                .split("\n")
                .map((text) => ({ text }))}
            />
          )}
          {part.state === "output-error" && <p className="problem">{part.errorText}</p>}
          <a href={hrefOf(name, params)}>Open in the tool bench</a>
        </div>
      </details>
      {response && <Picture response={response} />}
      {change && <ChangeCard part={part} change={change} response={response} onDecide={onDecide} />}
    </div>
  );
}

function stateOf(part: Part, response: ToolResponse<object> | undefined): readonly [string, string] {
  if (response) return [response.status, response.error?.code ?? response.status];
  switch (part.state) {
    case "approval-requested":
      return ["partial", "waiting for you"];
    case "output-denied":
      return ["error", "declined"];
    case "output-error":
      return ["error", "failed"];
    default:
      return ["", "running"];
  }
}

interface ChangeProps {
  readonly part: Part;
  readonly change: Change;
  readonly response: ToolResponse<object> | undefined;
  readonly onDecide: (approvalId: string, approved: boolean) => void;
}

/** A change that an agent wants to make: the whole diff, and the reader's word. */
function ChangeCard({ part, change, response, onDecide }: ChangeProps) {
  const where = escapeText(placesOf(change));
  return (
    <section className={`change ${part.state}`} aria-label={`${change.tool} wants to ${verbOf(change)} ${where}`}>
      <header>
        {change.tool} wants to {verbOf(change)} <code>{where}</code>
      </header>
      <DiffView diff={change.diff} label={`Diff of ${where}`} />
      <footer>
        {part.state === "approval-requested" ? (
          <>
            {[true, false].map((approved) => (
              <button
                key={String(approved)}
                type="button"
                className={approved ? "primary" : ""}
                onClick={() => {
                  onDecide(part.approval.id, approved);
                }}
              >
                {approved ? "Approve" : "Decline"}
              </button>
            ))}
            <span className="hint">Nothing is written until you approve.</span>
          </>
        ) : (
          <span role="status">{outcomeOf(part, response)}</span>
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
