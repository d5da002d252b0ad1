import type { AgentEvent, ApprovalEvent, FinishEvent, ResultEvent } from "../../agent/events.ts";
import { addCosts, NO_COSTS, type Costs } from "../../costs.ts";

/** A piece of an answer, in the order in which it came. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
      readonly result?: ResultEvent;
      readonly problem?: string;
    }
  /** A change that waits for a decision, or what was decided. */
  | { readonly kind: "approval"; readonly request: ApprovalEvent; readonly approved?: boolean }
  | { readonly kind: "error"; readonly message: string };

/** A question and its answer so far. */
export interface Exchange {
  readonly question: string;
  readonly pieces: readonly Piece[];
  readonly finish?: FinishEvent;
}

/** An exchange with one more event in it. */
export function withEvent(exchange: Exchange, event: AgentEvent): Exchange {
  switch (event.type) {
    case "start":
    case "step":
      return exchange;
    case "text":
    case "reasoning":
      return { ...exchange, pieces: withText(exchange.pieces, event.type, event.delta) };
    case "call":
      return withPiece(exchange, { kind: "call", id: event.id, tool: event.tool, input: event.input });
    case "result":
      return withCall(exchange, event.id, { result: event });
    case "bad-call":
      return withCall(exchange, event.id, { problem: event.message });
    case "approval":
      return withPiece(exchange, { kind: "approval", request: event });
    case "decision":
      return withDecision(exchange, event.id, event.approved);
    case "error":
      return withPiece(exchange, { kind: "error", message: event.message });
    case "finish":
      return { ...exchange, finish: event };
  }
}

function withPiece(exchange: Exchange, piece: Piece): Exchange {
  return { ...exchange, pieces: [...exchange.pieces, piece] };
}

function withText(pieces: readonly Piece[], kind: "text" | "reasoning", delta: string): Piece[] {
  const last = pieces.at(-1);
  if (last?.kind !== kind) return [...pieces, { kind, text: delta }];
  return [...pieces.slice(0, -1), { kind, text: last.text + delta }];
}

function withCall(exchange: Exchange, id: string, outcome: { result?: ResultEvent; problem?: string }): Exchange {
  const pieces = exchange.pieces.map((piece) =>
    piece.kind === "call" && piece.id === id ? { ...piece, ...outcome } : piece,
  );
  return { ...exchange, pieces };
}

function withDecision(exchange: Exchange, id: string, approved: boolean): Exchange {
  const pieces = exchange.pieces.map((piece) =>
    piece.kind === "approval" && piece.request.id === id ? { ...piece, approved } : piece,
  );
  return { ...exchange, pieces };
}

/** What the tools put into the context in all, and what other ways would have put there. */
export function contextCosts(exchanges: readonly Exchange[]): Costs {
  const results = exchanges.flatMap(({ pieces }) =>
    pieces.flatMap((piece) => (piece.kind === "call" ? (piece.result ?? []) : [])),
  );
  return results.reduce((sum, result) => addCosts(sum, result.tokens), NO_COSTS);
}
