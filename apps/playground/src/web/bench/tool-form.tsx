import type { Field, FormValues } from "../fields.ts";

interface ToolFormProps {
  readonly tool: string;
  readonly fields: readonly Field[];
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
}

const SHOWN_FIELDS = 4;
/** Up to this many, all fields are shown. */
const FEW_FIELDS = 6;

/** A field per parameter. Nothing is forbidden here: what the tool says to a wrong value is worth seeing. */
export function ToolForm({ tool, fields, values, onChange }: ToolFormProps) {
  const end = fields.length > FEW_FIELDS ? SHOWN_FIELDS : fields.length;
  const shown = fields.slice(0, end);
  const rest = fields.slice(end);
  const used = rest.some((field) => (values[field.name] ?? "") !== "");
  const fieldsFor = (some: readonly Field[]) => (
    <div className="fields">
      {some.map((field) => (
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
  return (
    <>
      {fieldsFor(shown)}
      {rest.length > 0 && (
        <details className="more-fields" open={used || undefined}>
          <summary>
            {rest.length} more: {rest.map((field) => field.name).join(", ")}
          </summary>
          {fieldsFor(rest)}
        </details>
      )}
    </>
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
      <p id={`${id}-help`} className="help">
        {field.description}
      </p>
    </div>
  );
}

const PLACEHOLDERS = { array: "one per line", json: '[{ "old_string": "…", "new_string": "…" }]', text: "" } as const;

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
  if (type === "choice") {
    return (
      <select
        id={id}
        aria-describedby={described}
        value={value === "" ? fallback : value}
        onChange={(event) => {
          onChange(event.target.value === fallback ? "" : event.target.value);
        }}
      >
        {field.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  if (type === "array" || type === "json" || type === "text") {
    return (
      <textarea
        id={id}
        rows={1}
        aria-describedby={described}
        placeholder={PLACEHOLDERS[type]}
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
