import { byteSize } from "../ui/byte-size.ts";

/** How many bytes of tool output the model has read, and how many the truncator spared it. */
export function ContextMeter({ entered, keptOut }: { readonly entered: number; readonly keptOut: number }) {
  const total = Math.max(1, entered + keptOut);
  return (
    <div className="context-meter" role="group" aria-label="Tool output in the context">
      <div className="bar" aria-hidden="true">
        <span className="entered" style={{ width: `${(entered / total) * 100}%` }} />
        <span className="kept" style={{ width: `${(keptOut / total) * 100}%` }} />
      </div>
      <p>
        <strong>{byteSize(entered)}</strong> entered the context, <strong>{byteSize(keptOut)}</strong> kept out by the
        truncator
      </p>
    </div>
  );
}
