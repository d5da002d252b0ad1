import { useState, type KeyboardEvent, type Ref } from "react";
import type { ReadFlavour } from "../../read-flavour.ts";
import { Icon } from "../ui/icon.tsx";

interface ComposerProps {
  readonly running: boolean;
  readonly inputRef: Ref<HTMLTextAreaElement>;
  readonly onAsk: (question: string, read: ReadFlavour) => void;
  readonly onStop: () => void;
}

/** Where questions are written; Enter sends, Escape stops. */
export function Composer({ running, inputRef, onAsk, onStop }: ComposerProps) {
  const [question, setQuestion] = useState("");
  const [read, setRead] = useState<ReadFlavour>("standard");
  const send = () => {
    if (running || question.trim() === "") return;
    onAsk(question.trim(), read);
    setQuestion("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && running) onStop();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label className="visually-hidden" htmlFor="question">
        Question
      </label>
      <textarea
        id="question"
        ref={inputRef}
        rows={2}
        maxLength={4000}
        placeholder="Ask about this project…  ( / )"
        value={question}
        onChange={(event) => {
          setQuestion(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="composer-row">
        <label className="flavour">
          Read
          <select
            value={read}
            onChange={(event) => {
              setRead(event.target.value === "opencode" ? "opencode" : "standard");
            }}
          >
            <option value="standard">standard</option>
            <option value="opencode">opencode</option>
          </select>
        </label>
        <span className="working" role="status">
          {running ? "Working…" : ""}
        </span>
        {running ? (
          <button type="button" className="stop" onClick={onStop}>
            <Icon name="stop" /> Stop <kbd>Esc</kbd>
          </button>
        ) : (
          <button type="submit" className="primary" disabled={question.trim() === ""}>
            Ask <Icon name="enter" />
          </button>
        )}
      </div>
    </form>
  );
}
