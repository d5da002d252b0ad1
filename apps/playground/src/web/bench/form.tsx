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
      onChange={(value) => {
        setValues({ ...values, [field.name]: value });
      }}
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
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onRun(values);
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
        {tool.effect === "write" ? `Try ${tool.name}` : `Run ${tool.name}`} <kbd>Ctrl+Enter</kbd>
      </button>
    </form>
  );
}

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FieldInput({ field, value, onChange }: InputProps) {
  const { name, type, required, description, limits, fallback, choices } = field;
  const shared = {
    id: `field-${name}`,
    "aria-describedby": `hint-${name}`,
    value,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      onChange(target.value);
    },
  };
  const placeholder = fallback;
  return (
    <div className={`field ${type}`}>
      <label htmlFor={shared.id}>
        <code>{name}</code>
        {required && <span title="required"> *</span>}
      </label>
      {type === "boolean" ? (
        <input
          {...shared}
          type="checkbox"
          checked={value === "true"}
          onChange={({ target }) => {
            onChange(target.checked ? "true" : "");
          }}
        />
      ) : type === "choice" ? (
        <select {...shared}>
          <option value="">{fallback}</option>
          {choices
            .filter((choice) => choice !== fallback)
            .map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
        </select>
      ) : type === "string" || type === "integer" ? (
        <input {...shared} placeholder={placeholder} spellCheck={false} autoComplete="off" />
      ) : (
        <textarea {...shared} rows={type === "text" ? 4 : 2} placeholder={placeholder} spellCheck={false} />
      )}
      <p id={`hint-${name}`} className="hint">
        {description}
        {limits !== "" && ` (${limits})`}
      </p>
    </div>
  );
}
