/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What ties an answer to its request. */
export type RequestId = string | number;

/** Whether a value is a JSON object, and not a list. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value can tie an answer to its request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
