import type { CSSProperties } from "react";

/** How something ended, in a colour for it. */
export function Badge({ state, children }: { readonly state: string; readonly children: string }) {
  return (
    <span className="badge" style={{ "--tone": `var(--${state}, var(--soft))` } as CSSProperties}>
      {children}
    </span>
  );
}
