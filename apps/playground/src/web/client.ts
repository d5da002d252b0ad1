const token = new URLSearchParams(window.location.search).get("token") ?? "";

/** Every request to the server carries the token of the page's address. */
export const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };

/** Asks the server, with a body by POST; throws what is wrong in words for the reader. */
export async function ask<Answer>(path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await fetch(path, signal ? { ...init, signal } : init).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Error("The playground's server does not answer. Is it still running?");
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as Answer;
  throw new Error((answer as { readonly error?: string }).error ?? `The server answered ${response.status}.`);
}

/** What went wrong, in words; an answer of the server that came through the AI SDK is JSON. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, inner] = /^\{"error":"(.*)"\}$/su.exec(text) ?? [];
  return (
    inner ??
    (/failed to fetch|networkerror|load failed/iu.test(text)
      ? "The playground's server does not answer. Is it still running?"
      : text)
  );
}
