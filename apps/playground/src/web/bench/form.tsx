import type { ToolInfo } from "../../server/api.ts";
import type { Field, FormValues } from "./fields.ts";

interface FormProps {
  readonly tool: ToolInfo;
  readonly fields: readonly Field[];
  readonly values: FormValues;
  readonly onRun: (values: FormValues) => void;
}

/** A form for a call, made from the tool's JSON Schema. */
export function ToolForm({ tool, fields, values, onRun }: FormProps) {
  const isShown = ({ required, name }: Field, index: number) => required || index < 2 || name in values;
  const input = (field: Field) => <FieldInput key={field.name} field={field} value={values[field.name]} />;
  const more = fields.filter((field, index) => !isShown(field, index));
  return (
    <form
      className="tool-form"
      aria-label={`${tool.name}, parameters`}
      onSubmit={(event) => {
        event.preventDefault();
        const given = [...new FormData(event.currentTarget)];
        onRun(Object.fromEntries(given.map(([name, value]) => [name, typeof value === "string" ? value : ""])));
      }}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.requestSubmit();
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

function FieldInput({ field, value }: { readonly field: Field; readonly value: string | undefined }) {
  const { name, control, required, hint, fallback, choices } = field;
  const hintId = `hint-${name}`;
  const shared = { id: `field-${name}`, name, "aria-describedby": hintId, placeholder: fallback, spellCheck: false };
  const given = { ...shared, defaultValue: value };
  return (
    <div className={`field ${control}`}>
      <label htmlFor={shared.id}>
        <code>{name}</code>
        {required && <span title="required"> *</span>}
      </label>
      {control === "line" && <input {...given} autoComplete="off" />}
      {control === "area" && <textarea {...given} rows={3} />}
      {control === "check" && <input {...shared} type="checkbox" value="true" defaultChecked={value === "true"} />}
      {control === "choice" && (
        <select {...given}>
          <option value="">{fallback}</option>
          {choices.map((one) => one !== fallback && <option key={one}>{one}</option>)}
        </select>
      )}
      <p id={hintId} className="hint">
        {hint}
      </p>
    </div>
  );
}
