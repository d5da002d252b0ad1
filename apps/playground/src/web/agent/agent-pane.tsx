import { useEffect, useRef, type Ref } from "react";
import type { Info } from "../../server/api.ts";
import { Composer } from "./composer.tsx";
import { ContextMeter } from "./context-meter.tsx";
import { contextCosts } from "./conversation.ts";
import { ExchangeView } from "./exchange-view.tsx";
import { useStored } from "../ui/use-stored.ts";
import { useAgent } from "./use-agent.ts";

const DEFAULT_BUDGET = 8000;

const SUGGESTIONS = [
  "What is this project?",
  "What is in packages?",
  "Find all markdown files",
  "Where is `createTruncator` defined?",
  "How does the truncator decide what to keep?",
  "Read package.json lines 1-12",
];

/** The conversation with the agent. */
export function AgentPane({ info, inputRef }: { readonly info: Info; readonly inputRef: Ref<HTMLTextAreaElement> }) {
  const { exchanges, running, ask, stop, reset } = useAgent();
  const [budget, setBudget] = useStored("fstools-budget", DEFAULT_BUDGET);
  const scroller = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);

  // Follow the answer as it grows, unless the reader has scrolled away from its end.
  useEffect(() => {
    const element = scroller.current;
    if (element && pinned.current) element.scrollTop = element.scrollHeight;
  }, [exchanges]);

  return (
    <section className="pane agent" aria-labelledby="agent-title">
      <header className="agent-header">
        <h2 id="agent-title" className="pane-title">
          Agent
        </h2>
        <span className={`model ${info.model.offline ? "offline" : ""}`}>{info.model.label}</span>
        <button type="button" className="quiet" onClick={reset} disabled={exchanges.length === 0}>
          New chat
        </button>
      </header>
      <ContextMeter costs={contextCosts(exchanges)} budget={budget} onBudget={setBudget} />
      <div
        className="transcript"
        ref={scroller}
        role="log"
        aria-label="Conversation"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          pinned.current = scrollHeight - scrollTop - clientHeight < 40;
        }}
      >
        {exchanges.length === 0 && (
          <Welcome
            offline={info.model.offline}
            onAsk={(question) => {
              void ask(question, "standard");
            }}
          />
        )}
        {exchanges.map((exchange, index) => (
          <ExchangeView key={index} exchange={exchange} />
        ))}
      </div>
      <Composer
        running={running}
        inputRef={inputRef}
        onStop={stop}
        onAsk={(question, read) => {
          pinned.current = true;
          void ask(question, read);
        }}
      />
    </section>
  );
}

function Welcome({ offline, onAsk }: { readonly offline: boolean; readonly onAsk: (question: string) => void }) {
  return (
    <div className="welcome">
      <p>
        Ask about the project, and watch the agent use the tools: every call, its envelope, and what entered the
        context.
      </p>
      {offline && (
        <p className="note">
          No API key needed: the model is a rule-based planner, a stand-in and not a language model. Start with{" "}
          <code>--base-url</code> and <code>--model</code> to use your own.
        </p>
      )}
      <ul className="suggestions">
        {SUGGESTIONS.map((question) => (
          <li key={question}>
            <button
              type="button"
              onClick={() => {
                onAsk(question);
              }}
            >
              {question.replaceAll("`", "")}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
