import { checkResponse } from "@fstools/protocol";
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

/** Whether the envelope keeps the protocol, as `checkResponse` finds in this browser. */
export function Conformance({ tool, response }: { readonly tool: string; readonly response: Envelope }) {
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
}
