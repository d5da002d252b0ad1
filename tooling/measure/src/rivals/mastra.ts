import { importFrom, messageOf, type OpenHost } from "./host.ts";

interface Module {
  readonly LocalFilesystem: new (options: object) => object;
  readonly Workspace: new (options: object) => { init(): Promise<void> };
  createWorkspaceTools(workspace: object): Promise<Readonly<Record<string, MastraTool>>>;
}

interface MastraTool {
  readonly description: string;
  readonly inputSchema: { readonly "~standard": { readonly jsonSchema: { input(options: object): unknown } } };
  execute(params: object, context: object): Promise<unknown>;
  toModelOutput?(result: unknown): unknown;
}

/** The tools that a workspace on the local disk gives to an agent. */
export const open: OpenHost = async (root) => {
  const mastra = await importFrom<Module>("mastra", "@mastra/core/workspace");
  const workspace = new mastra.Workspace({ filesystem: new mastra.LocalFilesystem({ basePath: root }) });
  await workspace.init();
  const tools = await mastra.createWorkspaceTools(workspace);
  return {
    definitions: Object.entries(tools).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      parameters: inputSchema["~standard"].jsonSchema.input({ target: "draft-07" }),
    })),
    call: async (name, params) => {
      try {
        const tool = tools[name];
        const result = await tool?.execute(params, { workspace });
        if (typeof result === "string") return result;
        return isMedia(result) ? result.text : JSON.stringify(result);
      } catch (error) {
        return messageOf(error);
      }
    },
  };
};

/** A picture goes to the model beside this text. */
function isMedia(result: unknown): result is { readonly text: string } {
  return typeof result === "object" && result !== null && "text" in result && typeof result.text === "string";
}
