import { memo } from "react";
import type { FinishEvent } from "../../agent/events.ts";
import { Prose } from "../ui/prose.tsx";
import { tokenCount } from "../ui/token-count.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { CallCard } from "./call-card.tsx";
import type { Exchange, Piece } from "./conversation.ts";

type Decide = (id: string, approved: boolean) => void;

interface ExchangeViewProps {
  readonly exchange: Exchange;
  readonly onDecide: Decide;
}

/** A question and its answer. */
export const ExchangeView = memo(function ExchangeView({ exchange, onDecide }: ExchangeViewProps) {
  const { question, pieces, finish } = exchange;
  return (
    <article className="exchange">
      <p className="question">{question}</p>
      {pieces.map((piece, index) => (
        <PieceView key={index} piece={piece} open={!finish} onDecide={onDecide} />
      ))}
      {finish && <p className={`ending ${finish.reason}`}>{endingWords(finish)}</p>}
    </article>
  );
});

interface PieceViewProps {
  readonly piece: Piece;
  readonly open: boolean;
  readonly onDecide: Decide;
}

function PieceView({ piece, open, onDecide }: PieceViewProps) {
  switch (piece.kind) {
    case "text":
      return <Prose text={piece.text} />;
    case "reasoning":
      return <p className="reasoning">{piece.text}</p>;
    case "call":
      return <CallCard call={piece} />;
    case "approval":
      return (
        <ApprovalCard
          request={piece.request}
          approved={piece.approved}
          open={open}
          onDecide={(approved) => {
            onDecide(piece.request.id, approved);
          }}
        />
      );
    case "error":
      return (
        <p className="problem" role="alert">
          {piece.message}
        </p>
      );
  }
}

function endingWords({ reason, steps, elapsedMs, tokens }: FinishEvent): string {
  const figures = `${steps} ${steps === 1 ? "step" : "steps"}, ${(elapsedMs / 1000).toFixed(1)} s`;
  switch (reason) {
    case "answered":
      return `${figures}, ${tokenCount(tokens.entered)} tokens from tools (whole files: ${tokenCount(tokens.wholeFiles)})`;
    case "step-limit":
      return `Stopped at the step limit (${figures}).`;
    case "length":
      return `Cut off at the model's length limit (${figures}).`;
    case "aborted":
      return "Stopped.";
    case "failed":
      return `Failed (${figures}).`;
  }
}
