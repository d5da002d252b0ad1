import { hostOf, importFrom, type OpenHost } from "./host.ts";

interface Module {
  readonly LocalFilesystem: new (options: object) => object;
  readonly Workspace: new (options: object) => { init(): Promise<void> };
  createWorkspaceTools(workspace: object): Promise<Readonly<Record<string, MastraTool>>>;
}

interface MastraTool {
  readonly description: string;
  readonly inputSchema: { readonly "~standard": { readonly jsonSchema: { input(options: object): unknown } } };
  execute(params: object, context: object): Promise<unknown>;
}

/** The tools that a workspace on the local disk gives to an agent. */
export const open: OpenHost = async (root, second) => {
  const mastra = await importFrom<Module>("mastra", "@mastra/core/workspace");
  const allowedPaths = second === undefined ? [] : [second];
  const workspace = new mastra.Workspace({ filesystem: new mastra.LocalFilesystem({ basePath: root, allowedPaths }) });
  await workspace.init();
  const tools = await mastra.createWorkspaceTools(workspace);
  return hostOf(
    Object.entries(tools).map(([name, tool]) => ({
      name,
      description: tool.description,
      parameters: tool.inputSchema["~standard"].jsonSchema.input({ target: "draft-07" }),
      run: async (params) => {
        const result = await tool.execute(params, { workspace });
        // A picture goes to the model beside a text.
        const isShown =
          typeof result === "string" || (typeof result === "object" && result !== null && "text" in result);
        return isShown ? result : JSON.stringify(result);
      },
    })),
  );
};
