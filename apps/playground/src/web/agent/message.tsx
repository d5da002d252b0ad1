import { isToolUIPart } from "ai";
import type { AgentMessage } from "../../agent/messages.ts";
import { printable } from "../../printable.ts";
import { Markdown } from "../ui/markdown.tsx";
import { Call, type CallActions } from "./call.tsx";

interface MessageProps extends CallActions {
  readonly message: AgentMessage;
  /** While it is being written. */
  readonly isLive: boolean;
}

/** A question, or an answer with its calls. */
export function Message({ message: { role, parts, metadata = {} }, isLive, ...actions }: MessageProps) {
  if (role === "user") return <p className="question">{parts.map((part) => ("text" in part ? part.text : ""))}</p>;
  const isOpen = parts.some((part) => isToolUIPart(part) && part.state === "approval-requested");
  const note = isLive || isOpen ? undefined : NOTES[metadata.ending ?? ""];
  return (
    <article className="answer" aria-busy={isLive}>
      {parts.map((part, index) => {
        if (isToolUIPart(part)) {
          const { [part.toolCallId]: facts = {} } = metadata.calls ?? {};
          return <Call key={part.toolCallId} {...{ part, facts, ...actions }} />;
        }
        if (part.type === "text") return <Markdown key={index} text={part.text} />;
        if (part.type !== "reasoning") return null;
        return (
          <p key={index} className="note">
            {printable(part.text)}
          </p>
        );
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
