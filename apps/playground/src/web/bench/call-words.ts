import { shortValue } from "../ui/short-value.ts";
import type { ToolCall } from "./use-tool-run.ts";

/** The parameters of a call in one line: "path=src limit=20". */
export function paramWords({ params }: ToolCall): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${shortValue(value)}`)
    .join(" ");
}
