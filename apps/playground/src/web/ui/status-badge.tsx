import type { Envelope } from "../../envelope.ts";
import { Icon } from "./icon.tsx";

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
      <Icon name={status} /> {status}
      {code !== undefined && <span className="code">{code}</span>}
    </span>
  );
}
