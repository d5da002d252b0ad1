import { useCallback, useEffect, useLayoutEffect, useRef, type Ref } from "react";
import { z } from "zod";
import type { StarterQuestion } from "../../questions.ts";
import type { Info } from "../../server/api.ts";
import type { Client } from "../api-client.ts";
import { useSaved } from "../ui/use-saved.ts";
import { Composer } from "./composer.tsx";
import { ContextMeter } from "./context-meter.tsx";
import { contextCosts } from "./conversation.ts";
import { ExchangeView } from "./exchange-view.tsx";
import { useAgent } from "./use-agent.ts";
import { Welcome } from "./welcome.tsx";

const DEFAULT_BUDGET = 8000;
const budgetSchema = z.int().min(100);

interface AgentPaneProps {
  readonly info: Info;
  readonly client: Client;
  readonly inputRef: Ref<HTMLTextAreaElement>;
  /** A question to ask at once. */
  readonly firstQuestion: string | undefined;
  /** Asks a question of a fresh copy of the demo project. */
  readonly onAskDemo: (question: string) => void;
}

/** The conversation with the agent. */
export function AgentPane({ info, client, inputRef, firstQuestion, onAskDemo }: AgentPaneProps) {
  const { exchanges, running, ask, stop, reset, decide } = useAgent(client);
  const [budget, setBudget] = useSaved("browser", "fstools-budget", budgetSchema, DEFAULT_BUDGET);
  const scroller = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);

  const begun = useRef(false);
  useEffect(() => {
    if (firstQuestion === undefined || begun.current) return;
    begun.current = true;
    void ask(firstQuestion, "standard");
  });

  // Follow the answer as it grows, unless the reader has scrolled away from its end.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && pinned.current) element.scrollTop = element.scrollHeight;
  }, [exchanges]);

  const latestDecide = useRef(decide);
  useEffect(() => {
    latestDecide.current = decide;
  });
  const onDecide = useCallback((id: string, approved: boolean) => {
    void latestDecide.current(id, approved);
  }, []);

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
            info={info}
            onAsk={({ question, inDemo = false }: StarterQuestion) => {
              if (inDemo) onAskDemo(question);
              else void ask(question, "standard");
            }}
          />
        )}
        {exchanges.map((exchange, index) => (
          <ExchangeView key={index} exchange={exchange} onDecide={onDecide} />
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
