import { importFrom, type LocalTool } from "./host.ts";

/** Tools in the AI SDK's form, by their names. */
export type AiTools = Readonly<Record<string, AiTool>>;

interface AiTool {
  readonly description: string;
  readonly inputSchema: unknown;
  execute(params: object, options: object): Promise<unknown>;
  toModelOutput?(answer: object): { readonly type: string; readonly value?: unknown } | undefined;
}

/** Tools of the AI SDK, whose answers reach a model as text or as JSON. */
export async function aiSdkTools(id: string, tools: AiTools): Promise<LocalTool[]> {
  const { asSchema } = await importFrom<{ readonly asSchema: (schema: unknown) => { jsonSchema: unknown } }>(id, "ai");
  return Promise.all(
    Object.entries(tools).map(async ([name, tool]) => ({
      name,
      description: tool.description,
      parameters: await asSchema(tool.inputSchema).jsonSchema,
      run: async (input) => {
        const output = await tool.execute(input, { toolCallId: "call", messages: [] });
        const shown = tool.toModelOutput?.({ toolCallId: "call", input, output });
        if (shown?.type === "content") return shown.value;
        const value = shown?.value ?? output;
        return typeof value === "string" ? value : JSON.stringify(value);
      },
    })),
  );
}
