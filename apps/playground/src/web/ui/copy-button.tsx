import { useState } from "react";

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
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
      <span className={said === "" ? "" : "hidden"}>{label}</span>
      <span className="said" role="status">
        {said}
      </span>
    </button>
  );
}
