/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What ties an answer to its request. */
export type RequestId = string | number;

/** Whether a value can tie an answer to its request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
