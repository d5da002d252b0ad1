import { useRef, type KeyboardEvent, type ReactNode } from "react";

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
}

interface TabsProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Prefix of the ids of tab and panel, where the tabs have a panel. */
  readonly panel?: string;
  readonly className?: string;
}

/** A row of choices: a tab list, of which the arrow keys choose. */
export function Tabs<Value extends string>({ label, choices, value, onChange, panel, className }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  // Where nothing is chosen, the keyboard reaches the first one.
  const reached = choices.some((choice) => choice.value === value) ? value : choices[0]?.value;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const at = choices.findIndex((choice) => choice.value === value);
    const next = (at + step + choices.length) % choices.length;
    const chosen = choices[next];
    if (!chosen) return;
    event.preventDefault();
    onChange(chosen.value);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={`tabs ${className ?? ""}`} onKeyDown={onKeyDown}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="tab"
          id={panel === undefined ? undefined : `${panel}-tab-${choice.value}`}
          aria-controls={panel === undefined ? undefined : `${panel}-panel`}
          aria-selected={choice.value === value}
          tabIndex={choice.value === reached ? 0 : -1}
          onClick={() => {
            onChange(choice.value);
          }}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
