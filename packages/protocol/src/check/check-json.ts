import { pointer, type Violation, violation } from "./violation.ts";

const MAX_DEPTH = 500;

/** The first thing that JSON would change or refuse: the wire is JSON, so the other side would read something else. */
export function* checkJson(response: object): Generator<Violation> {
  const found = findProblem(response, [], new Set(), new Set());
  if (found !== undefined)
    yield violation("envelope/not-json", pointer(...found.place), `JSON cannot hold ${found.what}.`);
}

interface Problem {
  readonly place: readonly PropertyKey[];
  readonly what: string;
}

function findProblem(
  value: unknown,
  place: readonly PropertyKey[],
  ancestors: Set<object>,
  checked: Set<object>,
): Problem | undefined {
  if (typeof value !== "object" || value === null) return leafProblem(value, place);
  if (ancestors.has(value)) return { place, what: "a cycle" };
  if (ancestors.size >= MAX_DEPTH) return { place, what: `more than ${MAX_DEPTH} levels safely` };
  // Shared objects are checked once: a small graph of them can unfold into billions of values.
  if (checked.has(value) || "toJSON" in value) return undefined;
  ancestors.add(value);
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const dropped = item === undefined && !Array.isArray(value);
    const found = dropped ? undefined : findProblem(item, [...place, key], ancestors, checked);
    if (found !== undefined) return found;
  }
  ancestors.delete(value);
  checked.add(value);
  return undefined;
}

function leafProblem(value: unknown, place: readonly PropertyKey[]): Problem | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { place, what: String(value) };
  if (typeof value === "string" || typeof value === "boolean" || value === null) return undefined;
  return { place, what: value === undefined ? "undefined" : `a ${typeof value}` };
}
