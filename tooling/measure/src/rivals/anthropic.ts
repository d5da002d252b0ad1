import { hostOf, importFrom, type OpenHost } from "./host.ts";

interface Module {
  betaAgentToolset20260401(context: { workdir: string; allowedRoots?: string[] }): readonly RunnableTool[];
}

interface RunnableTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: unknown;
  run(params: object, context: object): Promise<unknown>;
}

/** The file tools of Anthropic's SDK; their shell is left out. */
export const open: OpenHost = async (root, second) => {
  const module = await importFrom<Module>("anthropic", "./@anthropic-ai/sdk/tools/agent-toolset/node.mjs");
  const context = { workdir: root, ...(second === undefined ? {} : { allowedRoots: [second] }) };
  const tools = module.betaAgentToolset20260401(context).filter(({ name }) => name !== "bash");
  return hostOf(
    tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.input_schema,
      run: async (params) => tool.run(params, {}),
    })),
  );
};
