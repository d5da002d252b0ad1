import type { TruncatorSettings } from "../../server/api.ts";

/** The switch and what it is set to; limits are text while they are typed. */
export interface TruncatorState {
  readonly on: boolean;
  readonly maxLines: string;
  readonly maxBytes: string;
  readonly direction: "head" | "tail";
}

/** Off, with the library's own limits. */
export const TRUNCATOR_OFF: TruncatorState = { on: false, maxLines: "2000", maxBytes: "51200", direction: "head" };

/** What goes to the server; nothing while it is off. */
export function truncatorSettings(state: TruncatorState): TruncatorSettings | undefined {
  if (!state.on) return undefined;
  return { max_lines: Number(state.maxLines), max_bytes: Number(state.maxBytes), direction: state.direction };
}

interface TruncatorSwitchProps {
  readonly state: TruncatorState;
  readonly onChange: (state: TruncatorState) => void;
}

/** Sends answers through the truncator, with its limits. */
export function TruncatorSwitch({ state, onChange }: TruncatorSwitchProps) {
  return (
    <fieldset className="truncator">
      <legend className="visually-hidden">Truncator</legend>
      <label className="switch-label">
        <input
          type="checkbox"
          className="switch"
          checked={state.on}
          onChange={(event) => {
            onChange({ ...state, on: event.target.checked });
          }}
        />
        Truncator
      </label>
      {state.on && (
        <>
          <label>
            max lines
            <input
              type="text"
              inputMode="numeric"
              value={state.maxLines}
              onChange={(event) => {
                onChange({ ...state, maxLines: event.target.value });
              }}
            />
          </label>
          <label>
            max bytes
            <input
              type="text"
              inputMode="numeric"
              value={state.maxBytes}
              onChange={(event) => {
                onChange({ ...state, maxBytes: event.target.value });
              }}
            />
          </label>
          <label>
            keep
            <select
              value={state.direction}
              onChange={(event) => {
                onChange({ ...state, direction: event.target.value === "tail" ? "tail" : "head" });
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
