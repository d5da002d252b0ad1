import { useState, type SyntheticEvent } from "react";
import type { Info } from "../../server/api.ts";

interface ComposerProps {
  readonly info: Info;
  readonly state: "ready" | "running" | "waiting";
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
  readonly onStartOver: () => void;
}

/** Where one asks: Enter asks, Escape stops an answer. */
export function Composer({ info, state, onAsk, onStop, onStartOver }: ComposerProps) {
  const [question, setQuestion] = useState("");
  const running = state === "running";
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (question.trim() === "" || running) return;
    onAsk(question.trim());
    setQuestion("");
  };
  const words = { waiting: "Waiting for you", running: "Working …", ready: info.model };
  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        aria-label="Question"
        placeholder={`Ask about ${info.project.name}`}
        rows={1}
        maxLength={4000}
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && running) onStop();
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <div>
        <span role="status">{words[state]}</span>
        <button type="button" onClick={onStartOver} disabled={running}>
          {info.project.isDemo ? "Start over" : "New chat"}
        </button>
        {running ? (
          <button type="button" className="stop" onClick={onStop}>
            Stop <kbd>Esc</kbd>
          </button>
        ) : (
          <button type="submit" className="primary" disabled={question.trim() === ""}>
            Ask <kbd>Enter</kbd>
          </button>
        )}
      </div>
    </form>
  );
}
