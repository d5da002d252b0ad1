import { useState, type KeyboardEvent } from "react";

interface LimitFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly onCommit: (value: number) => void;
}

/** A number that counts once it is complete: on Enter, or when the field is left. */
export function LimitField({ label, value, min, onCommit }: LimitFieldProps) {
  const [draft, setDraft] = useState<string>();
  const commit = () => {
    const number = Number(draft);
    if (draft !== undefined && Number.isInteger(number) && number >= min) onCommit(number);
    setDraft(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    commit();
  };
  return (
    <label>
      {label}
      <input
        type="text"
        inputMode="numeric"
        title={`at least ${min}`}
        value={draft ?? String(value)}
        onChange={(event) => {
          setDraft(event.target.value);
        }}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}
