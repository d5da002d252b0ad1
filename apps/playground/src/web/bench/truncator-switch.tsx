import type { TruncatorSettings } from "../../server/api.ts";
import { LimitField } from "../ui/limit-field.tsx";

/** The switch and what it is set to. */
export interface TruncatorState {
  readonly on: boolean;
  readonly settings: TruncatorSettings;
}

/** Off, with the library's own limits. */
export const TRUNCATOR_OFF: TruncatorState = {
  on: false,
  settings: { max_lines: 2000, max_bytes: 51_200, direction: "head" },
};

interface TruncatorSwitchProps {
  readonly state: TruncatorState;
  readonly onChange: (state: TruncatorState) => void;
}

/** Sends answers through the truncator, with its limits. */
export function TruncatorSwitch({ state, onChange }: TruncatorSwitchProps) {
  const { on, settings } = state;
  const set = (change: Partial<TruncatorSettings>) => {
    onChange({ on, settings: { ...settings, ...change } });
  };
  return (
    <fieldset className="truncator">
      <legend className="visually-hidden">Truncator</legend>
      <label className="switch-label">
        <input
          type="checkbox"
          className="switch"
          checked={on}
          onChange={(event) => {
            onChange({ on: event.target.checked, settings });
          }}
        />
        Truncator
      </label>
      {on && (
        <>
          <LimitField
            label="max lines"
            min={1}
            value={settings.max_lines}
            onCommit={(max_lines) => {
              set({ max_lines });
            }}
          />
          <LimitField
            label="max bytes"
            min={100}
            value={settings.max_bytes}
            onCommit={(max_bytes) => {
              set({ max_bytes });
            }}
          />
          <label>
            keep
            <select
              value={settings.direction}
              onChange={(event) => {
                set({ direction: event.target.value === "tail" ? "tail" : "head" });
              }}
            >
              <option value="head">head</option>
              <option value="tail">tail</option>
            </select>
          </label>
        </>
      )}
    </fieldset>
  );
}
