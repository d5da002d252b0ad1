import { importFrom, messageOf, type OpenHost } from "./host.ts";

interface BashToolModule {
  readonly createBashTool: (options: object) => Promise<{ readonly tools: Readonly<Record<string, AiTool>> }>;
}

interface JustBash {
  readonly Bash: new (options: object) => object;
  readonly InMemoryFs: new () => object;
  readonly MountableFs: new (options: object) => { mount(path: string, files: object): void };
  readonly ReadWriteFs: new (options: object) => object;
}

interface AiTool {
  readonly description: string;
  readonly inputSchema: unknown;
  execute(params: object, options: object): Promise<unknown>;
}

interface AiModule {
  readonly asSchema: (schema: unknown) => { readonly jsonSchema: unknown };
}

/** A shell in JavaScript on the project's directory, whose answers reach the model as JSON. */
export const open: OpenHost = async (root) => {
  const { createBashTool } = await importFrom<BashToolModule>("bash-tool", "bash-tool");
  const { Bash, InMemoryFs, MountableFs, ReadWriteFs } = await importFrom<JustBash>("bash-tool", "just-bash");
  const { asSchema } = await importFrom<AiModule>("bash-tool", "ai");
  const fs = new MountableFs({ base: new InMemoryFs() });
  fs.mount("/workspace", new ReadWriteFs({ root }));
  const sandbox = new Bash({ fs, cwd: "/workspace" });
  const { tools } = await createBashTool({ sandbox, destination: "/workspace" });
  return {
    definitions: await Promise.all(
      Object.entries(tools).map(async ([name, { description, inputSchema }]) => ({
        name,
        description,
        parameters: await asSchema(inputSchema).jsonSchema,
      })),
    ),
    call: async (name, params) => {
      try {
        return JSON.stringify(await tools[name]?.execute(params, { toolCallId: "call", messages: [] }));
      } catch (error) {
        return messageOf(error);
      }
    },
  };
};
