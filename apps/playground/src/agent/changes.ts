import { AsyncLocalStorage } from "node:async_hooks";
import type { Change } from "./messages.ts";

/** Lets the tools of one conversation write exactly what a person has seen, and nothing else. */
export function createChanges() {
  const waiting = new Map<string, Change>();
  const asked = new AsyncLocalStorage<(change: Change) => boolean>();
  const told = ({ tool, path, paths, from, operation, diff }: Change) => ({ tool, path, paths, from, operation, diff });
  return {
    /** For the tools' option of this name: they ask it last. Nobody could have approved a call that is not known here. */
    confirm: (change: Change) => asked.getStore()?.(change) ?? false,
    /** The change that a call waits with. */
    of: (callId: string) => waiting.get(callId),
    /** Runs a call to see what it would change, and keeps that; nothing is written. */
    preview: async (callId: string, run: () => Promise<unknown>): Promise<Change | undefined> => {
      const keep = (change: Change) => {
        waiting.set(callId, told(change));
        return false;
      };
      await asked.run(keep, run);
      return waiting.get(callId);
    },
    /** Runs a call that may write what `preview` has kept for it, once. */
    make: <Answer>(callId: string, run: () => Promise<Answer>): Promise<Answer> => {
      const approved = waiting.get(callId);
      waiting.delete(callId);
      return asked.run((change) => JSON.stringify(told(change)) === JSON.stringify(approved), run);
    },
    forget: (callId: string) => waiting.delete(callId),
  };
}

/** The changes of one conversation. */
export type Changes = ReturnType<typeof createChanges>;
