import { checkData, checkTruncation } from "./check-data.ts";
import { checkEnvelope } from "./check-envelope.ts";
import { checkState } from "./check-state.ts";
import type { ToolCategory } from "../data.ts";
import { isRecord } from "../json.ts";
import { pointer, type Violation, violation } from "./violation.ts";

const MAX_DEPTH = 500;

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

/** The first thing that JSON would change or refuse: the wire is JSON, so the other side would read something else. */
function* checkJson(response: object): Generator<Violation> {
  const ancestors = new Set<object>();
  const checked = new Set<object>();

  function find(value: unknown, place: readonly PropertyKey[]): Violation | undefined {
    const cannotHold = (what: string) => violation("envelope/not-json", pointer(...place), `JSON cannot hold ${what}.`);
    if (typeof value === "number") return Number.isFinite(value) ? undefined : cannotHold(String(value));
    if (typeof value === "string" || typeof value === "boolean" || value === null) return undefined;
    if (typeof value !== "object") return cannotHold(value === undefined ? "undefined" : `a ${typeof value}`);
    if (ancestors.has(value)) return cannotHold("a cycle");
    if (ancestors.size >= MAX_DEPTH) return cannotHold(`more than ${MAX_DEPTH} levels safely`);
    // Shared objects are checked once: a small graph of them can unfold into billions of values.
    if (checked.has(value) || "toJSON" in value) return undefined;
    ancestors.add(value);
    for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const isDropped = item === undefined && !Array.isArray(value);
      const found = isDropped ? undefined : find(item, [...place, key]);
      if (found !== undefined) return found;
    }
    ancestors.delete(value);
    checked.add(value);
    return undefined;
  }

  const found = find(response, []);
  if (found !== undefined) yield found;
}
