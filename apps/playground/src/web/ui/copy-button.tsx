import { useState } from "react";

interface CopyButtonProps {
  /** What is copied. */
  readonly label: string;
  readonly text: () => string;
  /** @default the label */
  readonly words?: string;
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ label, text, words = label }: CopyButtonProps) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid("copied");
    } catch {
      setSaid("not allowed");
    }
    setTimeout(() => {
      setSaid("");
    }, 1500);
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={`Copy ${label}`}
      onClick={() => {
        void copy();
      }}
    >
      <span className={said === "" ? "" : "hidden"}>{words}</span>
      <span className="said" role="status">
        {said}
      </span>
    </button>
  );
}
