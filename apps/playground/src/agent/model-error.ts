import { APICallError, RetryError } from "ai";

/** What went wrong with a model, in words for its user. */
export function describeModelError(error: unknown): string {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  // The AI SDK also raises this one, with the status 200, when a stream breaks after a good start.
  if (APICallError.isInstance(cause) && (cause.statusCode ?? 0) !== 200) return describeApiCall(cause);
  if (!(cause instanceof Error)) return `The model failed: ${String(cause)}`;
  const code = networkCode(cause);
  return `The model's answer broke off: ${cause.message}${code === undefined ? "" : ` (${code})`}`;
}

function describeApiCall(error: APICallError): string {
  const host = new URL(error.url).host;
  if (error.statusCode === undefined) {
    const code = networkCode(error) ?? error.message;
    return `Cannot reach the model endpoint at ${host} (${code}). Is it running, and is the base URL right?`;
  }
  const advice =
    error.statusCode === 401 || error.statusCode === 403
      ? " Check the API key."
      : error.statusCode === 404
        ? " Check the base URL and the model's name."
        : error.statusCode === 429
          ? " The endpoint limits the rate; wait, then ask again."
          : "";
  return `The model endpoint at ${host} answered ${error.statusCode}: ${error.message}.${advice}`;
}

/** ECONNREFUSED and its like sit at the end of a chain of causes. */
function networkCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}
