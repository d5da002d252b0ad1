/** A Standard Schema that carries a JSON Schema, as the AI SDK, LangChain and the MCP SDK take it. */
export interface CarriedSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "fstools";
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/**
 * Shows a JSON Schema to the model without letting the SDK check against it: the tool checks its own parameters, and
 * its message names the right one ("Unknown parameter 'offset'. Did you mean 'start_line'?") where an SDK's does not.
 */
export function carrySchema(jsonSchema: object): CarriedSchema {
  // A copy for each caller: SDKs complete the schema in place.
  const copy = () => structuredClone({ ...jsonSchema });
  return {
    "~standard": {
      version: 1,
      vendor: "fstools",
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}
