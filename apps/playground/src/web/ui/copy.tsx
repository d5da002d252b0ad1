import { useState } from "react";

/** Copies a text, and says so. */
export function Copy({ what, text }: { readonly what: string; readonly text: () => string }) {
  const [done, setDone] = useState(false);
  return (
    <button
      type="button"
      className="quiet"
      onClick={() => {
        void navigator.clipboard.writeText(text()).then(() => {
          setDone(true);
        });
      }}
    >
      {done ? "Copied" : `Copy ${what}`}
      <span role="status" className="sr-only">
        {done ? `${what} copied` : ""}
      </span>
    </button>
  );
}
