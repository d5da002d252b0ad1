import { useEffect, useState } from "react";

const token = new URLSearchParams(window.location.search).get("token") ?? "";

/** Every request to the server carries the token of the page's address. */
export const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };

const GONE = "The playground's server does not answer. Is it still running?";

/** Asks the server, with a body by POST; throws what is wrong in words for the reader. */
export async function ask<Answer>(path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await fetch(path, signal ? { ...init, signal } : init);
  const answer: unknown = await response.json();
  if (response.ok) return answer as Answer;
  throw new Error(JSON.stringify(answer));
}

/** What went wrong, in words: an answer of the server, or that there is none. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/failed to fetch|networkerror|load failed/iu.test(text)) return GONE;
  return /^\{"error":"(.*)"\}$/su.exec(text)?.[1] ?? text;
}

interface Asked<Answer> {
  readonly path: string;
  readonly answer?: Answer;
  readonly problem?: string;
}

/** What the server answers to a path, once it does. */
export function useAnswer<Answer>(path: string): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer>>({ path });
  useEffect(() => {
    const controller = new AbortController();
    ask<Answer>(path, undefined, controller.signal).then(
      (answer) => setAsked({ path, answer }),
      (error: unknown) => {
        if (!controller.signal.aborted) setAsked({ path, problem: messageOf(error) });
      },
    );
    return () => controller.abort();
  }, [path]);
  return asked.path === path ? asked : { path };
}
