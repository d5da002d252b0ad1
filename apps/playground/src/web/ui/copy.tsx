import { useState } from "react";

/** Copies a text, and says so. */
export function Copy({ what, text }: { readonly what: string; readonly text: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
  };
  return (
    <button type="button" className="quiet" aria-live="polite" onClick={() => void copy()}>
      {done ? "Copied" : `Copy ${what}`}
    </button>
  );
}
