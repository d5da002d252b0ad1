import { checkData } from "./check-data.ts";
import { checkEnvelope } from "./check-envelope.ts";
import { checkJson } from "./check-json.ts";
import { checkState } from "./check-state.ts";
import { checkTruncation } from "./check-truncation.ts";
import type { ToolCategory } from "../data.ts";
import { isRecord } from "../json.ts";
import { type Violation, violation } from "./violation.ts";

/** What `checkResponse` should know about the tool that answered. */
export interface CheckOptions {
  /** Without one, only the shared fields that are present are checked, and as warnings. */
  readonly category?: ToolCategory | undefined;
}

/** Every place where an answer breaks a rule of the envelope; none if it conforms. Never throws. */
export function checkResponse(value: unknown, options: CheckOptions = {}): Violation[] {
  try {
    if (!isRecord(value)) return [violation("envelope/not-an-object", "", "An answer must be an object.")];
    return [
      ...checkEnvelope(value),
      ...checkJson(value),
      ...checkState(value),
      ...checkData(value, options.category),
      ...checkTruncation(value),
    ];
  } catch {
    return [violation("envelope/unreadable", "", "Reading the answer throws.")];
  }
}
