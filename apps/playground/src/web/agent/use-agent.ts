import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import { NO_COSTS } from "../../costs.ts";
import type { ReadFlavour } from "../../read-flavour.ts";
import type { Client } from "../api-client.ts";
import { loadSaved, save } from "../ui/use-saved.ts";
import { withEvent, type Exchange } from "./conversation.ts";

const ENDED = {
  type: "finish",
  reason: "aborted",
  steps: 0,
  tokens: NO_COSTS,
  keptOutBytes: 0,
  elapsedMs: 0,
} as const;

/** What the tab remembers of a conversation. */
interface Saved {
  readonly session: string;
  readonly exchanges: readonly Exchange[];
}

const saved = z.object({
  session: z.uuid(),
  // Written by this page alone, and shown as text whatever it holds.
  exchanges: z.array(z.custom<Exchange>((value) => typeof value === "object" && value !== null && "pieces" in value)),
});

/** The conversation with the agent; the history that the model sees is kept by the server. */
export function useAgent(client: Client) {
  const key = `fstools-chat-${client.project}`;
  const [conversation, setConversation] = useState<Saved>(() => restore(key));
  const [running, setRunning] = useState(false);
  const controller = useRef<AbortController>(undefined);
  const { session, exchanges } = conversation;

  const latest = useRef(conversation);
  useEffect(() => {
    latest.current = conversation;
    if (!running) keep(key, conversation);
  }, [key, conversation, running]);
  useEffect(() => {
    const onHide = () => {
      keep(key, latest.current);
    };
    window.addEventListener("pagehide", onHide);
    return () => {
      window.removeEventListener("pagehide", onHide);
      controller.current?.abort();
    };
  }, [key]);

  const change = (update: (last: Exchange) => Exchange) => {
    setConversation((all) => {
      const last = all.exchanges.at(-1);
      return last ? { ...all, exchanges: [...all.exchanges.slice(0, -1), update(last)] } : all;
    });
  };

  const ask = async (question: string, read: ReadFlavour) => {
    const current = new AbortController();
    controller.current = current;
    setRunning(true);
    setConversation((all) => ({ ...all, exchanges: [...all.exchanges, { question, pieces: [] }] }));
    try {
      for await (const event of client.ask({ session, question, read }, current.signal)) {
        if (current.signal.aborted) break;
        change((last) => withEvent(last, event));
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!current.signal.aborted) change((last) => withEvent(last, { type: "error", message }));
    }
    if (controller.current === current) setRunning(false);
  };

  const stop = () => {
    controller.current?.abort();
    controller.current = undefined;
    setRunning(false);
    change((last) => (last.finish ? last : withEvent(last, ENDED)));
  };

  const reset = () => {
    controller.current?.abort();
    controller.current = undefined;
    setRunning(false);
    setConversation({ session: crypto.randomUUID(), exchanges: [] });
  };

  const decide = async (id: string, approved: boolean) => {
    try {
      await client.decide({ session, id, approved });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      change((last) => withEvent(last, { type: "error", message }));
    }
  };

  return { exchanges, running, ask, stop, reset, decide };
}

/** A run that a reload cut off is over. */
function restore(key: string): Saved {
  const found = loadSaved("tab", key, saved);
  if (!found) return { session: crypto.randomUUID(), exchanges: [] };
  return { ...found, exchanges: found.exchanges.map((one) => (one.finish ? one : withEvent(one, ENDED))) };
}

/** Where the browser has no room, the oldest exchanges are given up. */
function keep(key: string, { session, exchanges }: Saved): void {
  for (let first = 0; first <= exchanges.length; first++) {
    if (save("tab", key, { session, exchanges: exchanges.slice(first) })) return;
  }
}
