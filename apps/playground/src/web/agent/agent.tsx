import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import type { AgentMessage } from "../../agent/messages.ts";
import type { Info } from "../../server/api.ts";
import { ask, headers, messageOf } from "../client.ts";
import { useSaved } from "../route.ts";
import { Economy } from "./economy.tsx";
import { Message } from "./message.tsx";

interface Kept {
  readonly messages: AgentMessage[];
}

/** The agent of a project: one conversation, shared by all tabs; the server keeps it. */
export function Agent({ info }: { readonly info: Info }) {
  const [session, setSession] = useSaved(`fstools-session-${info.project.id}`, "");
  const [kept, setKept] = useState<AgentMessage[]>();
  const [problem, setProblem] = useState<string>();
  // A conversation that the reader has not begun starts with one that was held before.
  const [id, isNew] = session === "" ? [crypto.randomUUID(), false] : [session.slice(0, 36), session.endsWith("new")];
  const first = useRef(id);
  const shown = session === "" ? first.current : id;
  const isDemo = info.project.kind === "demo";
  const path = `/api/agent?project=${info.project.id}&session=${shown}`;

  useEffect(() => {
    if (session === "") setSession(shown);
    const controller = new AbortController();
    ask<Kept>(`${path}${isNew ? "" : "&opening"}`, undefined, controller.signal)
      .then(({ messages }) => {
        setKept(messages);
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setProblem(messageOf(error));
      });
    return () => {
      controller.abort();
    };
  }, [path]);

  if (!kept)
    return (
      <main className="agent">
        {problem !== undefined && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
      </main>
    );
  return (
    <Conversation
      key={shown}
      info={info}
      path={path}
      session={shown}
      kept={kept}
      onNew={() => {
        setKept(undefined);
        // The demo begins anew with its files.
        const ready = isDemo ? ask("/api/demo", {}) : Promise.resolve();
        void ready.then(() => {
          setSession(`${crypto.randomUUID()}${isDemo ? "" : " new"}`);
        });
      }}
    />
  );
}

interface ConversationProps {
  readonly info: Info;
  readonly path: string;
  readonly session: string;
  readonly kept: AgentMessage[];
  readonly onNew: () => void;
}

function Conversation({ info, path, session, kept, onNew }: ConversationProps) {
  const { messages, setMessages, sendMessage, addToolApprovalResponse, stop, status, error, clearError } =
    useChat<AgentMessage>({
      id: session,
      messages: kept,
      transport: new DefaultChatTransport({
        api: path,
        headers,
        // The server has the conversation; it only needs to hear what is new.
        prepareSendMessagesRequest: ({ messages: all }) => ({ body: { session, ...newsIn(all.at(-1)) } }),
      }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  const running = status === "submitted" || status === "streaming";
  const waiting = messages.at(-1)?.parts.some((part) => isToolUIPart(part) && part.state === "approval-requested");

  // Another tab may have gone on, or decided.
  const tabs = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const channel = new BroadcastChannel(`fstools-${session}`);
    tabs.current = channel;
    const refresh = () => {
      void ask<Kept>(path).then(({ messages: all }) => {
        setMessages(all);
      });
    };
    channel.onmessage = refresh;
    return () => {
      channel.close();
    };
  }, [path, session, setMessages]);
  useEffect(() => {
    if (!running) tabs.current?.postMessage("changed");
  }, [running]);

  const end = useRef<HTMLDivElement>(null);
  const count = messages.length;
  useEffect(() => {
    if (count > kept.length) end.current?.scrollIntoView({ block: "end" });
  }, [count, kept.length, status, waiting]);

  const send = (question: string) => {
    clearError();
    void sendMessage({ text: question });
  };

  return (
    <main className={count > kept.length ? "agent began" : "agent"}>
      <aside aria-label="What it costs, and what to try">
        <p className="lead">
          Filesystem tools for coding agents: <strong>small answers</strong> that say whether they are complete, and
          <strong> changes</strong> that wait for you.
        </p>
        <Economy messages={messages} />
        <h2>Try it</h2>
        <ul className="questions">
          {info.questions.map(({ shows, question }) => (
            <li key={question}>
              <button
                type="button"
                disabled={running}
                onClick={() => {
                  send(question);
                }}
              >
                <span>{shows}</span> {question}
              </button>
            </li>
          ))}
        </ul>
      </aside>
      <section className="talk" aria-label="Conversation">
        <div className="messages">
          {messages.map((message, index) => (
            <Message
              key={message.id}
              message={message}
              project={info.project.id}
              isLive={running && index === messages.length - 1}
              onDecide={(approvalId, approved) => {
                void addToolApprovalResponse({ id: approvalId, approved });
              }}
            />
          ))}
          {error && (
            <p className="problem" role="alert">
              {messageOf(error)}
            </p>
          )}
          <div ref={end} className="end" />
        </div>
        <Composer info={info} running={running} waiting={waiting === true} onAsk={send} onStop={stop} onNew={onNew} />
      </section>
    </main>
  );
}

/** What the server does not know yet: a question, or decisions. */
function newsIn(message: AgentMessage | undefined) {
  if (message?.role === "user")
    return { question: message.parts.map((part) => ("text" in part ? part.text : "")).join("") };
  const decisions = (message?.parts ?? []).flatMap((part) =>
    isToolUIPart(part) && part.state === "approval-responded"
      ? [{ id: part.approval.id, approved: part.approval.approved }]
      : [],
  );
  return { decisions };
}

interface ComposerProps {
  readonly info: Info;
  readonly running: boolean;
  readonly waiting: boolean;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => Promise<void>;
  readonly onNew: () => void;
}

function Composer({ info, running, waiting, onAsk, onStop, onNew }: ComposerProps) {
  const [question, setQuestion] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key === "Escape" && running) void onStop();
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
    };
  }, [running, onStop]);
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (question.trim() === "" || running) return;
    onAsk(question.trim());
    setQuestion("");
  };
  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        ref={field}
        aria-label="Question"
        placeholder={`Ask about ${info.project.name}`}
        rows={1}
        maxLength={4000}
        value={question}
        onChange={({ target }) => {
          setQuestion(target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <div className="composer-foot">
        <span role="status">{waiting ? "Waiting for you" : running ? "Working …" : info.model.label}</span>
        <button type="button" className="quiet" onClick={onNew} disabled={running}>
          {info.project.kind === "demo" ? "Start over" : "New chat"}
        </button>
        {running ? (
          <button type="button" className="stop" onClick={() => void onStop()}>
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
