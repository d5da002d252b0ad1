import { useRef, useState } from "react";
import { NO_COSTS } from "../../costs.ts";
import type { ReadFlavour } from "../../read-flavour.ts";
import { askAgent } from "../api-client.ts";
import { withEvent, type Exchange } from "./conversation.ts";

/** The conversation with the agent; the history that the model sees is kept by the server. */
export function useAgent() {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [running, setRunning] = useState(false);
  const session = useRef(crypto.randomUUID());
  const controller = useRef<AbortController>(undefined);

  const change = (update: (last: Exchange) => Exchange) => {
    setExchanges((all) => {
      const last = all.at(-1);
      return last ? [...all.slice(0, -1), update(last)] : all;
    });
  };

  const ask = async (question: string, read: ReadFlavour) => {
    const current = new AbortController();
    controller.current = current;
    setRunning(true);
    setExchanges((all) => [...all, { question, pieces: [] }]);
    try {
      for await (const event of askAgent({ session: session.current, question, read }, current.signal)) {
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
    const ended = {
      type: "finish",
      reason: "aborted",
      steps: 0,
      tokens: NO_COSTS,
      keptOutBytes: 0,
      elapsedMs: 0,
    } as const;
    change((last) => (last.finish ? last : withEvent(last, ended)));
  };

  const reset = () => {
    controller.current?.abort();
    controller.current = undefined;
    session.current = crypto.randomUUID();
    setRunning(false);
    setExchanges([]);
  };

  return { exchanges, running, ask, stop, reset };
}
