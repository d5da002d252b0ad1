import { AsyncLocalStorage } from "node:async_hooks";
import { placesOf, type Change } from "./messages.ts";

/** Lets tools write exactly what a person has seen, and nothing else. */
export interface Changes {
  /** For the tools' option of this name: they ask it last, with the whole diff. */
  readonly confirm: (change: Change) => boolean;
  /** The change that a call waits with. */
  of(callId: string): Change | undefined;
  /** Runs a call to see what it would change, and keeps that; nothing is written. */
  preview(callId: string, run: () => Promise<unknown>): Promise<Change | undefined>;
  /** Runs a call that may write what `preview` has kept for it, once. */
  make<Answer>(callId: string, run: () => Promise<Answer>): Promise<Answer>;
  forget(callId: string): void;
}

/** The changes of one conversation. */
export function createChanges(): Changes {
  const waiting = new Map<string, Change>();
  const asked = new AsyncLocalStorage<(change: Change) => boolean>();
  return {
    // Without a call that is known here there is nobody who could have approved it.
    confirm: (change) => asked.getStore()?.(change) ?? false,
    of: (callId) => waiting.get(callId),
    preview: async (callId, run) => {
      const keep = ({ tool, path, paths, from, operation, diff }: Change) => {
        waiting.set(callId, { tool, path, paths, from, operation, diff });
        return false;
      };
      await asked.run(keep, run);
      return waiting.get(callId);
    },
    make: (callId, run) => {
      const approved = waiting.get(callId);
      waiting.delete(callId);
      const isTheSame = (change: Change) => approved?.diff === change.diff && approved.operation === change.operation;
      return asked.run((change) => isTheSame(change) && placesOf(change) === placesOf(approved), run);
    },
    forget: (callId) => waiting.delete(callId),
  };
}
