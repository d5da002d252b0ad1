import type { Envelope } from "../../envelope.ts";
import { Icon } from "./icon.tsx";

interface StatusBadgeProps {
  readonly status: Envelope["status"];
  readonly code?: string | undefined;
  /** True where it is one of many, and not news. */
  readonly quiet?: boolean;
}

/** An envelope's status, and the error's code. */
export function StatusBadge({ status, code, quiet = false }: StatusBadgeProps) {
  return (
    <span className={`badge ${status}`} role={quiet ? undefined : "status"}>
      <Icon name={status} /> {status}
      {code !== undefined && <span className="code">{code}</span>}
    </span>
  );
}
