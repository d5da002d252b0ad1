/** Parameters of a tool call, as JSON holds them. */
export type Params = Readonly<Record<string, unknown>>;
