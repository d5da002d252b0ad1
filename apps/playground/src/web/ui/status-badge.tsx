import type { Envelope } from "../../envelope.ts";

const SYMBOLS = { success: "●", partial: "◐", error: "✕" } as const;

/** An envelope's status, and the error's code. */
export function StatusBadge({
  status,
  code,
}: {
  readonly status: Envelope["status"];
  readonly code?: string | undefined;
}) {
  return (
    <span className={`badge ${status}`} role="status">
      <span aria-hidden="true">{SYMBOLS[status]}</span> {status}
      {code !== undefined && <span className="code">{code}</span>}
    </span>
  );
}
