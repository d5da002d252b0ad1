import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useEffect, useRef, useState } from "react";
import type { AgentMessage } from "../../agent/messages.ts";
import type { Info, ToolResult } from "../../server/api.ts";
import { ask, headers, messageOf, useAnswer } from "../client.ts";
import { useSaved } from "../route.ts";
import { Problem } from "../ui/problem.tsx";
import { Composer } from "./composer.tsx";
import { Economy } from "./economy.tsx";
import { Message } from "./message.tsx";

interface AgentProps {
  readonly info: Info;
  /** Shows another project. */
  readonly onOpen: (project: string) => void;
}

interface Kept {
  readonly messages: AgentMessage[];
}

/** The agent of a project: one conversation, shared by all tabs; the server keeps it. */
export function Agent({ info, onOpen }: AgentProps) {
  const { id, isDemo } = info.project;
  const [session, setSession] = useSaved(`fstools-session-${id}`, () => crypto.randomUUID());
  const path = `/api/agent?project=${id}&session=${session}`;
  const { answer, problem } = useAnswer<Kept>(path);
  // The demo begins anew with its files.
  const startOver = async () => {
    if (isDemo) await ask("/api/demo", {});
    setSession(crypto.randomUUID());
  };
  if (!answer) return <Problem>{problem}</Problem>;
  return <Conversation key={session} {...{ info, onOpen, path, session, startOver }} kept={answer.messages} />;
}

interface ConversationProps extends AgentProps {
  readonly path: string;
  readonly session: string;
  readonly kept: AgentMessage[];
  readonly startOver: () => Promise<void>;
}

function Conversation({ info, onOpen, path, session, kept, startOver }: ConversationProps) {
  const { messages, setMessages, sendMessage, addToolApprovalResponse, stop, status, error, clearError } =
    useChat<AgentMessage>({
      id: session,
      messages: kept,
      // A render for every piece would be too many where they come at once.
      experimental_throttle: 50,
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
  const state = waiting === true ? "waiting" : running ? "running" : "ready";

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

  const [problem, setProblem] = useState<string>();
  const undo = async (change: string) => {
    const asked = ask<ToolResult>(`/api/undo?project=${info.project.id}`, { session, change });
    const why = await asked.then(({ response }) => response.error?.message, messageOf);
    setProblem(why);
    if (why !== undefined) return;
    setMessages((await ask<Kept>(path)).messages);
    tabs.current?.postMessage("changed");
  };

  const end = useRef<HTMLDivElement>(null);
  const began = messages.length > kept.length;
  useEffect(() => {
    if (began) end.current?.scrollIntoView({ block: "end" });
  }, [began, messages.length, status, waiting]);

  const send = (text: string) => {
    clearError();
    setProblem(undefined);
    void sendMessage({ text });
  };
  const tries = [
    ...Object.entries(info.questions).map(([shows, what]) => ({ shows, what, onClick: () => send(what) })),
    ...info.projects.flatMap(({ id, name, shows }) =>
      shows === undefined || id === info.project.id ? [] : [{ shows, what: `Open ${name}`, onClick: () => onOpen(id) }],
    ),
  ];
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
          {tries.map(({ shows, what, onClick }) => (
            <li key={what}>
              <button type="button" disabled={running} onClick={onClick}>
                <span>{shows}</span>
                {what}
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
              onUndo={(change) => void undo(change)}
            />
          ))}
          <Problem>{error ? messageOf(error) : problem}</Problem>
          <div ref={end} className="end" />
        </div>
        <Composer {...{ info, state }} onAsk={send} onStop={() => void stop()} onStartOver={() => void startOver()} />
      </section>
    </main>
  );
}

/** What the server does not know yet: a question, or decisions. */
function newsIn({ role, parts }: Pick<AgentMessage, "role" | "parts"> = { role: "user", parts: [] }) {
  if (role === "user") return { question: parts.map((part) => ("text" in part ? part.text : "")).join("") };
  const decided = parts.filter(isToolUIPart).filter(({ state }) => state === "approval-responded");
  return {
    decisions: decided.flatMap(({ approval }) => (approval ? [{ id: approval.id, approved: approval.approved }] : [])),
  };
}
