import { importFrom, messageOf, textOf, type OpenHost } from "./host.ts";

interface Module {
  readonly FilesystemBackend: new (options: object) => object;
  readonly createFilesystemMiddleware: (options: object) => {
    readonly tools: readonly LangChainTool[];
    /** Puts answers that are too large into a file. */
    wrapToolCall(request: ToolRequest, handler: (request: ToolRequest) => Promise<Message>): Promise<Message>;
  };
}

interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  invoke(call: object): Promise<Message>;
}

interface ToolRequest {
  readonly toolCall: { readonly id: string; readonly name: string; readonly args: object };
  readonly tool: LangChainTool;
  readonly state: object;
  readonly runtime: object;
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
  const backend = new FilesystemBackend({ rootDir: root, virtualMode: true });
  const middleware = createFilesystemMiddleware({ backend });
  const tools = middleware.tools.filter(({ name }) => NAMES.includes(name));
  return {
    definitions: tools.map(({ name, description, schema }) => ({
      name,
      description,
      parameters: toJsonSchema(schema),
    })),
    call: async (name, args) => {
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`There is no tool '${name}'.`);
      const toolCall = { type: "tool_call", id: "call", name, args };
      try {
        const request = { toolCall, tool, state: {}, runtime: {} };
        const message = await middleware.wrapToolCall(request, async () => tool.invoke(toolCall));
        return textOf(message.content);
      } catch (error) {
        return messageOf(error);
      }
    },
  };
};
