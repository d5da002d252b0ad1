import { hostOf, importFrom, type OpenHost } from "./host.ts";

interface Module {
  readonly FilesystemBackend: new (options: object) => object;
  readonly createFilesystemMiddleware: (options: object) => {
    readonly tools: readonly LangChainTool[];
    /** Puts answers that are too large into a file. */
    wrapToolCall(request: object, handler: () => Promise<Message>): Promise<Message>;
  };
}

interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  invoke(call: object): Promise<Message>;
}

interface Message {
  readonly content: unknown;
}

interface JsonSchemas {
  readonly toJsonSchema: (schema: unknown) => unknown;
}

const NAMES = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"];

/** The file tools of an agent on the local disk, with the middleware that shortens large answers. */
export const open: OpenHost = async (root) => {
  const { createFilesystemMiddleware, FilesystemBackend } = await importFrom<Module>("deepagents", "deepagents");
  const { toJsonSchema } = await importFrom<JsonSchemas>("deepagents", "@langchain/core/utils/json_schema");
  const middleware = createFilesystemMiddleware({
    backend: new FilesystemBackend({ rootDir: root, virtualMode: true }),
  });
  const tools = middleware.tools.filter(({ name }) => NAMES.includes(name));
  return hostOf(
    tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: toJsonSchema(tool.schema),
      run: async (args) => {
        const toolCall = { type: "tool_call", id: "call", name: tool.name, args };
        const request = { toolCall, tool, state: {}, runtime: {} };
        return (await middleware.wrapToolCall(request, async () => tool.invoke(toolCall))).content;
      },
    })),
  );
};
