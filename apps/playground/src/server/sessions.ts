import type { ModelMessage } from "ai";
import { trimHistory } from "../agent/history.ts";

/** Conversations, kept in memory: bounded in number and size, the least recently used go first. */
export interface Sessions {
  history(id: string): readonly ModelMessage[];
  add(id: string, messages: readonly ModelMessage[]): void;
  /** True if the session is now this caller's alone; false while another turn runs. */
  begin(id: string): boolean;
  end(id: string): void;
}

/** An empty store of conversations. */
export function createSessions({ maxSessions = 32, maxHistoryBytes = 512 * 1024 } = {}): Sessions {
  const histories = new Map<string, readonly ModelMessage[]>();
  const busy = new Set<string>();
  return {
    history: (id) => histories.get(id) ?? [],
    add: (id, messages) => {
      const history = trimHistory([...(histories.get(id) ?? []), ...messages], maxHistoryBytes);
      histories.delete(id);
      histories.set(id, history);
      for (const oldest of histories.keys()) {
        if (histories.size <= maxSessions) break;
        histories.delete(oldest);
      }
    },
    begin: (id) => {
      if (busy.has(id)) return false;
      busy.add(id);
      return true;
    },
    end: (id) => {
      busy.delete(id);
    },
  };
}
