import { escapeText } from "@fstools/protocol";
import type { ApprovalEvent } from "../../agent/events.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";

interface ApprovalCardProps {
  readonly request: ApprovalEvent;
  /** Undefined while it waits. */
  readonly approved: boolean | undefined;
  /** False once the run is over; nothing can be decided then. */
  readonly open: boolean;
  readonly onDecide: (approved: boolean) => void;
}

/** A change that the agent wants to make: the whole diff, and the user's word. */
export function ApprovalCard({ request, approved, open, onDecide }: ApprovalCardProps) {
  const { tool, path, operation, diff } = request;
  return (
    <section className="approval" aria-label={`${tool} wants to change ${escapeText(path)}`}>
      <header>
        <strong>{tool}</strong> wants to {operation === "create" ? "create" : "change"} <code>{escapeText(path)}</code>
        <CopyButton label="diff" words="Copy diff" text={() => diff} />
      </header>
      <DiffView diff={diff} label={`Diff of ${escapeText(path)}`} />
      <footer>
        {approved === undefined && open ? (
          <>
            <button
              type="button"
              className="primary"
              onClick={() => {
                onDecide(true);
              }}
            >
              Approve
            </button>
            <button
              type="button"
              onClick={() => {
                onDecide(false);
              }}
            >
              Decline
            </button>
            <span className="hint">Nothing is written until you approve.</span>
          </>
        ) : (
          <Decision approved={approved} />
        )}
      </footer>
    </section>
  );
}

function Decision({ approved = false }: { readonly approved: boolean | undefined }) {
  return (
    <span className={`badge ${approved ? "success" : "error"}`} role="status">
      <Icon name={approved ? "success" : "error"} /> {approved ? "approved" : "declined, nothing was written"}
    </span>
  );
}
