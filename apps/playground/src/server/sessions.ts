import type { Tool } from "@fstools/protocol";
import type { ModelMessage } from "ai";
import { createApprovals, type Approvals } from "../agent/approvals.ts";
import { trimHistory } from "../agent/history.ts";
import type { Costs } from "../costs.ts";
import type { Envelope } from "../envelope.ts";
import type { Project } from "../project.ts";
import type { ReadFlavour } from "../read-flavour.ts";

/** A conversation: what the model remembers, its tools, and the changes that wait for a decision. */
export interface Session {
  readonly history: readonly ModelMessage[];
  readonly approvals: Approvals;
  /** Counts what its answers cost. */
  readonly measure: (response: Envelope) => Promise<Costs>;
  toolsWith(flavour: ReadFlavour): readonly Tool[];
  /** While a turn runs. */
  readonly busy: boolean;
  remember(messages: readonly ModelMessage[]): void;
  /** True if the session is now this caller's alone; false while another turn runs. */
  begin(): boolean;
  end(): void;
}

/** Conversations, kept in memory: bounded in number and size, the least recently used go first. */
export interface Sessions {
  /** Decides about a waiting change of any conversation; false if there is none of that id. */
  decide(session: string, id: string, approved: boolean): boolean;
  open(project: Project, id: string): Session;
}

/** An empty store of conversations. */
export function createSessions({ maxSessions = 32, maxHistoryBytes = 512 * 1024 } = {}): Sessions {
  const sessions = new Map<string, { readonly project: Project; readonly session: Session }>();
  return {
    decide: (session, id, approved) => sessions.get(session)?.session.approvals.decide(id, approved) ?? false,
    open: (project, id) => {
      const known = sessions.get(id);
      // A conversation about another project, or about an earlier copy of the demo, starts over.
      const session =
        known && (known.project === project || known.session.busy)
          ? known.session
          : createSession(project, maxHistoryBytes);
      sessions.delete(id);
      sessions.set(id, { project, session });
      for (const [oldest, { session: found }] of sessions) {
        if (sessions.size <= maxSessions) break;
        // A change may wait in it.
        if (!found.busy) sessions.delete(oldest);
      }
      return session;
    },
  };
}

function createSession(project: Project, maxHistoryBytes: number): Session {
  const approvals = createApprovals();
  const tools = new Map<ReadFlavour, readonly Tool[]>();
  let history: readonly ModelMessage[] = [];
  let busy = false;
  return {
    approvals,
    measure: project.createMeasure(),
    get busy() {
      return busy;
    },
    get history() {
      return history;
    },
    toolsWith: (flavour) => {
      const known = tools.get(flavour) ?? project.toolsWith(flavour, approvals);
      tools.set(flavour, known);
      return known;
    },
    remember: (messages) => {
      history = trimHistory([...history, ...messages], maxHistoryBytes);
    },
    begin: () => {
      if (busy) return false;
      busy = true;
      return true;
    },
    end: () => {
      busy = false;
    },
  };
}
