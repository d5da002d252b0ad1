import { randomUUID } from "node:crypto";
import type { ApprovalEvent } from "./events.ts";

/** A change that a tool is about to make. */
interface Change {
  readonly tool: string;
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly operation: string;
  readonly diff: string;
}

/** Told about each change that waits, and about each decision. */
type ApprovalListener = (
  event: ApprovalEvent | { readonly type: "decision"; readonly id: string; readonly approved: boolean },
) => void;

/** Between the tools, which ask before they write, and the person who decides. */
export interface Approvals {
  /** Waits for a decision; false if nothing listens, or the call is given up. */
  readonly confirm: (change: Change, options?: { readonly signal?: AbortSignal | undefined }) => Promise<boolean>;
  /** Decides about a waiting change; false if there is none of that id. */
  decide(id: string, approved: boolean): boolean;
  /** Reports changes from now on, until the returned function is called. */
  listen(listener: ApprovalListener): () => void;
}

/** Approvals for one conversation. */
export function createApprovals(): Approvals {
  const waiting = new Map<string, (approved: boolean) => void>();
  const listeners = new Set<ApprovalListener>();
  const tell: ApprovalListener = (event) => {
    for (const listener of listeners) listener(event);
  };
  return {
    confirm: (change, { signal } = {}) =>
      new Promise((resolve) => {
        if (listeners.size === 0 || signal?.aborted === true) {
          resolve(false);
          return;
        }
        const id = randomUUID();
        const settle = (approved: boolean) => {
          if (!waiting.delete(id)) return;
          signal?.removeEventListener("abort", giveUp);
          tell({ type: "decision", id, approved });
          resolve(approved);
        };
        const giveUp = () => {
          settle(false);
        };
        waiting.set(id, settle);
        signal?.addEventListener("abort", giveUp, { once: true });
        const { tool, paths = [], path = paths.join(", "), operation, diff } = change;
        tell({ type: "approval", id, tool, path, operation, diff });
      }),
    decide: (id, approved) => {
      const settle = waiting.get(id);
      settle?.(approved);
      return settle !== undefined;
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
