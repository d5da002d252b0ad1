import { memo } from "react";
import type { FinishEvent } from "../../agent/events.ts";
import { Prose } from "../ui/prose.tsx";
import { CallCard } from "./call-card.tsx";
import type { Exchange, Piece } from "./conversation.ts";

/** A question and its answer. */
export const ExchangeView = memo(function ExchangeView({ exchange }: { readonly exchange: Exchange }) {
  const { question, pieces, finish } = exchange;
  return (
    <article className="exchange">
      <p className="question">{question}</p>
      {pieces.map((piece, index) => (
        <PieceView key={index} piece={piece} />
      ))}
      {finish ? (
        <p className={`ending ${finish.reason}`}>{endingWords(finish)}</p>
      ) : (
        <p className="working">Working…</p>
      )}
    </article>
  );
});

function PieceView({ piece }: { readonly piece: Piece }) {
  switch (piece.kind) {
    case "text":
      return <Prose text={piece.text} />;
    case "reasoning":
      return <p className="reasoning">{piece.text}</p>;
    case "call":
      return <CallCard call={piece} />;
    case "approval":
      return null;
    case "error":
      return (
        <p className="problem" role="alert">
          {piece.message}
        </p>
      );
  }
}

function endingWords({ reason, steps, elapsedMs }: FinishEvent): string {
  const figures = `${steps} ${steps === 1 ? "step" : "steps"}, ${(elapsedMs / 1000).toFixed(1)} s`;
  switch (reason) {
    case "answered":
      return figures;
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
