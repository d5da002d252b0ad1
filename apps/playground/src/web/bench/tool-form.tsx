import type { Field, FormValues } from "../fields.ts";

interface ToolFormProps {
  readonly tool: string;
  readonly fields: readonly Field[];
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
}

/** A field per parameter. Nothing is forbidden here: what the tool says to a wrong value is worth seeing. */
export function ToolForm({ tool, fields, values, onChange }: ToolFormProps) {
  return (
    <div className="fields">
      {fields.map((field) => (
        <FormField
          key={field.name}
          id={`${tool}-${field.name}`}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => {
            onChange({ ...values, [field.name]: value });
          }}
        />
      ))}
    </div>
  );
}

interface FormFieldProps {
  readonly id: string;
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FormField({ id, field, value, onChange }: FormFieldProps) {
  const { name, type, required } = field;
  return (
    <div className={`field ${type}`}>
      <label htmlFor={id}>
        {name}
        {required && (
          <span className="required" title="required">
            {" "}
            *
          </span>
        )}
      </label>
      <span className="range">{rangeOf(field)}</span>
      <Control id={id} field={field} value={value} onChange={onChange} />
      <p id={`${id}-help`} className="help" title={field.description}>
        {field.description}
      </p>
    </div>
  );
}

function Control({ id, field, value, onChange }: FormFieldProps) {
  const { type, fallback, minimum, maximum, required } = field;
  const described = `${id}-help`;
  if (type === "boolean") {
    return (
      <input
        id={id}
        type="checkbox"
        className="switch"
        aria-describedby={described}
        checked={(value || fallback) === "true"}
        onChange={(event) => {
          onChange(event.target.checked ? "true" : "");
        }}
      />
    );
  }
  if (type === "array") {
    return (
      <textarea
        id={id}
        rows={1}
        aria-describedby={described}
        placeholder="one per line"
        value={value}
        spellCheck={false}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
    );
  }
  return (
    <input
      id={id}
      type="text"
      inputMode={type === "integer" ? "numeric" : "text"}
      aria-describedby={described}
      aria-required={required}
      data-min={minimum}
      data-max={maximum}
      placeholder={fallback}
      value={value}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  );
}

function rangeOf({ minimum, maximum, fallback }: Field): string {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum}–${maximum}`
      : minimum !== undefined
        ? `≥ ${minimum}`
        : maximum !== undefined
          ? `≤ ${maximum}`
          : "";
  const standard = fallback === "" ? "" : `default ${fallback}`;
  return [range, standard].filter((word) => word !== "").join(", ");
}
