import { useState } from "react";
import type { ToolInfo } from "../../server/api.ts";
import type { Field, FormValues } from "./fields.ts";

interface FormProps {
  readonly tool: ToolInfo;
  readonly fields: readonly Field[];
  readonly initial: FormValues;
  readonly onRun: (values: FormValues) => void;
}

/** A form for a call, made from the tool's JSON Schema. */
export function ToolForm({ tool, fields, initial, onRun }: FormProps) {
  const [values, setValues] = useState(initial);
  const isShown = ({ required, name }: Field, index: number) => required || index < 2 || (initial[name] ?? "") !== "";
  const input = (field: Field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={values[field.name] ?? ""}
      onChange={(value) => setValues({ ...values, [field.name]: value })}
    />
  );
  const more = fields.filter((field, index) => !isShown(field, index));
  return (
    <form
      className="tool-form"
      aria-label={`${tool.name}, parameters`}
      onSubmit={(event) => {
        event.preventDefault();
        onRun(values);
      }}
      onKeyDown={({ key, ctrlKey, metaKey }) => {
        if (key === "Enter" && (ctrlKey || metaKey)) onRun(values);
      }}
    >
      {fields.filter(isShown).map(input)}
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          {more.map(input)}
        </details>
      )}
      <button type="submit" className="primary">
        {tool.effect === "write" ? "Try" : "Run"} {tool.name} <kbd>Ctrl+Enter</kbd>
      </button>
    </form>
  );
}

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FieldInput({ field: { name, type, required, hint, fallback, choices }, value, onChange }: InputProps) {
  const shared = {
    ...{ id: `field-${name}`, "aria-describedby": `hint-${name}`, value, placeholder: fallback, spellCheck: false },
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  const toggle = () => onChange(value === "true" ? "" : "true");
  const choice = () => (
    <select {...shared}>
      <option value="">{fallback}</option>
      {choices.map((one) => one !== fallback && <option key={one}>{one}</option>)}
    </select>
  );
  const line = () => <input {...shared} autoComplete="off" />;
  const text = () => <textarea {...shared} rows={3} />;
  const boolean = () => <input {...shared} type="checkbox" checked={value === "true"} onChange={toggle} />;
  const inputs = { boolean, choice, text, string: line, integer: line, list: text, json: text };
  return (
    <div className={`field ${type}`}>
      <label htmlFor={shared.id}>
        <code>{name}</code>
        {required && <span title="required"> *</span>}
      </label>
      {inputs[type]()}
      <p id={`hint-${name}`} className="hint">
        {hint}
      </p>
    </div>
  );
}
