import { APICallError, RetryError } from "ai";

const ADVICE: Readonly<Record<number, string>> = {
  401: " Check the API key.",
  403: " Check the API key.",
  404: " Check the base URL and the model's name.",
  429: " The endpoint limits the rate; wait, then ask again.",
};

/** What went wrong with a model, in words for its user. */
export function describeModelError(error: unknown): string {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  if (!(cause instanceof Error)) return `The model failed: ${String(cause)}`;
  const code = networkCode(cause);
  // The AI SDK also raises this one, with the status 200, when a stream breaks after a good start.
  if (!APICallError.isInstance(cause) || cause.statusCode === 200)
    return `The model's answer broke off: ${cause.message}${code === undefined ? "" : ` (${code})`}`;
  const { statusCode: status, message, url } = cause;
  const { host } = new URL(url);
  return status === undefined
    ? `Cannot reach the model endpoint at ${host} (${code ?? message}). Is it running, and is the base URL right?`
    : `The model endpoint at ${host} answered ${status}: ${message}.${ADVICE[status] ?? ""}`;
}

/** ECONNREFUSED and its like sit at the end of a chain of causes. */
function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : networkCode(error.cause);
}
