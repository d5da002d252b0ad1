import { checkResponse } from "@fstools/protocol";
import { memo } from "react";
import type { Envelope } from "../../envelope.ts";
import { Icon } from "../ui/icon.tsx";

const CATEGORIES = {
  LS: "ls",
  Glob: "glob",
  Grep: "grep",
  Read: "read",
  read: "read",
  Edit: "edit",
  Write: "edit",
} as const;

interface ConformanceProps {
  readonly tool: string;
  readonly response: Envelope;
}

/** Whether the envelope keeps the protocol, as `checkResponse` finds in this browser. */
export const Conformance = memo(function Conformance({ tool, response }: ConformanceProps) {
  const category = Object.entries(CATEGORIES).find(([name]) => name === tool)?.[1];
  const violations = checkResponse(response, { category });
  if (violations.length === 0) {
    return (
      <span className="chip conforms" title="checkResponse found no violation of the envelope protocol">
        <Icon name="success" /> conforms
      </span>
    );
  }
  return (
    <details className="chip violations">
      <summary>{violations.length} violations</summary>
      <ul>
        {violations.map(({ rule, severity, path, message }) => (
          <li key={`${rule} ${path}`}>
            {severity} {rule} at {path === "" ? "top" : path}: {message}
          </li>
        ))}
      </ul>
    </details>
  );
});
