import { isToolUIPart } from "ai";
import type { AgentMessage } from "../../agent/messages.ts";
import { Markdown } from "../ui/markdown.tsx";
import { Call } from "./call.tsx";

interface MessageProps {
  readonly message: AgentMessage;
  readonly project: string;
  /** While it is being written. */
  readonly isLive: boolean;
  readonly onDecide: (approvalId: string, approved: boolean) => void;
}

/** A question, or an answer with its calls. */
export function Message({ message, project, isLive, onDecide }: MessageProps) {
  const { role, parts, metadata = {} } = message;
  if (role === "user") return <p className="question">{parts.map((part) => ("text" in part ? part.text : ""))}</p>;
  const isOpen = parts.some((part) => isToolUIPart(part) && part.state === "approval-requested");
  const note = isLive || isOpen ? undefined : NOTES[metadata.ending ?? ""];
  return (
    <article className="answer" aria-busy={isLive}>
      {parts.map((part, index) => {
        if (part.type === "text") return <Markdown key={index} text={part.text} />;
        if (part.type === "reasoning")
          return (
            <p key={index} className="reasoning">
              {part.text}
            </p>
          );
        if (!isToolUIPart(part)) return null;
        return <Call key={part.toolCallId} part={part} facts={metadata} project={project} onDecide={onDecide} />;
      })}
      {note !== undefined && <p className="note">{note}</p>}
    </article>
  );
}

const NOTES: Readonly<Record<string, string>> = {
  "": "Stopped.",
  length: "Cut off at the model's length limit.",
  "tool-calls": "Stopped at the step limit.",
  other: "The answer broke off.",
  error: "The answer broke off.",
};
