import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useEffect, useEffectEvent, useRef } from "react";
import type { AgentMessage } from "../../agent/messages.ts";
import type { Info } from "../../server/api.ts";
import { ask, headers, messageOf, useAnswer } from "../client.ts";
import { useSaved } from "../route.ts";
import { Problem } from "../ui/problem.tsx";
import { Composer } from "./composer.tsx";
import { Economy } from "./economy.tsx";
import { Message } from "./message.tsx";

interface AgentProps {
  readonly info: Info;
  /** A question that was asked before this project was shown, once. */
  readonly takeQuestion: () => string | undefined;
  readonly onAskElsewhere: (project: string, question: string) => void;
}

interface Kept {
  readonly messages: AgentMessage[];
}

/** The agent of a project: one conversation, shared by all tabs; the server keeps it. */
export function Agent(props: AgentProps) {
  const { project } = props.info;
  const [session, setSession] = useSaved(`fstools-session-${project.id}`, () => crypto.randomUUID());
  const path = `/api/agent?project=${project.id}&session=${session}`;
  const { answer, problem } = useAnswer<Kept>(path);
  if (!answer)
    return (
      <main className="agent">
        <Problem>{problem}</Problem>
      </main>
    );
  // The demo begins anew with its files.
  const startOver = async () => {
    if (project.isDemo) await ask("/api/demo", {});
    setSession(crypto.randomUUID());
  };
  return <Conversation key={session} {...props} {...{ path, session, kept: answer.messages, startOver }} />;
}

interface ConversationProps extends AgentProps {
  readonly path: string;
  readonly session: string;
  readonly kept: AgentMessage[];
  readonly startOver: () => Promise<void>;
}

function Conversation({ info, takeQuestion, onAskElsewhere, path, session, kept, startOver }: ConversationProps) {
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
    channel.onmessage = async () => setMessages((await ask<Kept>(path)).messages);
    return () => channel.close();
  }, [path, session, setMessages]);
  useEffect(() => {
    if (!running) tabs.current?.postMessage("changed");
  }, [running]);

  const end = useRef<HTMLDivElement>(null);
  const began = messages.length > kept.length;
  useEffect(() => {
    if (began) end.current?.scrollIntoView({ block: "end" });
  }, [began, messages.length, status, waiting]);

  const send = (text: string) => {
    clearError();
    void sendMessage({ text });
  };
  const begin = useEffectEvent(() => {
    const asked = takeQuestion();
    if (asked !== undefined) send(asked);
  });
  useEffect(() => begin(), []);

  return (
    <main className={began ? "agent began" : "agent"}>
      <aside aria-label="What it costs, and what to try">
        <p className="lead">
          Filesystem tools for coding agents: <strong>small answers</strong> that say whether they are complete, and
          <strong> changes</strong> that wait for you.
        </p>
        <Economy messages={messages} />
        <h2>Try it</h2>
        <ul className="questions">
          {info.questions.map(({ shows, question, project = info.project.id }) => (
            <li key={question}>
              <button
                type="button"
                disabled={running}
                onClick={() => {
                  if (project === info.project.id) send(question);
                  else onAskElsewhere(project, question);
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
              isLive={running && index === messages.length - 1}
              onDecide={(id, approved) => void addToolApprovalResponse({ id, approved })}
            />
          ))}
          <Problem>{error && messageOf(error)}</Problem>
          <div ref={end} className="end" />
        </div>
        <Composer
          info={info}
          state={waiting === true ? "waiting" : running ? "running" : "ready"}
          onAsk={send}
          onStop={() => void stop()}
          onStartOver={() => void startOver()}
        />
      </section>
    </main>
  );
}

/** What the server does not know yet: a question, or decisions. */
function newsIn({ role, parts }: Pick<AgentMessage, "role" | "parts"> = { role: "user", parts: [] }) {
  if (role === "user") return { question: parts.map((part) => ("text" in part ? part.text : "")).join("") };
  const decided = parts.flatMap((part) =>
    isToolUIPart(part) && part.state === "approval-responded" ? [part.approval] : [],
  );
  return { decisions: decided.map(({ id, approved }) => ({ id, approved })) };
}
