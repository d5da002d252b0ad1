import type { Info } from "../../server/api.ts";

interface ComposerProps {
  readonly info: Info;
  readonly state: "ready" | "running" | "waiting";
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
  readonly onStartOver: () => void;
}

/** Where one asks: Enter asks, Escape stops an answer. A phone has room for no more than the name of the model. */
export function Composer({ info, state, onAsk, onStop, onStartOver }: ComposerProps) {
  const running = state === "running";
  const words = { waiting: "Waiting for you", running: "Working …", ready: info.model.split(/ \(| at /u)[0] };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        const { question } = Object.fromEntries(new FormData(event.currentTarget));
        if (running || typeof question !== "string" || question.trim() === "") return;
        onAsk(question.trim());
        event.currentTarget.reset();
      }}
    >
      <textarea
        name="question"
        aria-label="Question"
        placeholder={`Ask about ${info.project.name}`}
        rows={1}
        maxLength={4000}
        onKeyDown={(event) => {
          if (event.key === "Escape" && running) onStop();
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <div>
        <span role="status" title={info.model}>
          {words[state]}
        </span>
        <button type="button" onClick={onStartOver} disabled={running}>
          {info.project.isDemo ? "Start over" : "New chat"}
        </button>
        {running ? (
          <button type="button" className="stop" onClick={onStop}>
            Stop <kbd>Esc</kbd>
          </button>
        ) : (
          <button type="submit" className="primary">
            Ask <kbd>Enter</kbd>
          </button>
        )}
      </div>
    </form>
  );
}
