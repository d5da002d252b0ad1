import { hostOf, importFrom, type OpenHost } from "./host.ts";

interface Core {
  readonly Config: new (options: object) => {
    initialize(): Promise<void>;
    refreshAuth(method: string): Promise<void>;
    getToolRegistry(): Registry;
  };
}

interface Registry {
  getFunctionDeclarations(model?: string): readonly Declaration[];
  getTool(name: string): { build(params: object): Invocation } | undefined;
}

interface Declaration {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: unknown;
}

interface Invocation {
  execute(options: { abortSignal: AbortSignal }): Promise<{ readonly llmContent: unknown }>;
}

const NAMES = ["list_directory", "read_file", "grep_search", "glob", "replace", "write_file"];

/** The registry of Gemini CLI, with its own configuration and without a model. */
export const open: OpenHost = async (root, second) => {
  const { Config } = await importFrom<Core>("gemini", "@google/gemini-cli-core");
  const model = "gemini-2.5-pro";
  const quiet = { usageStatisticsEnabled: false, telemetry: { enabled: false }, debugMode: false };
  const folder = { targetDir: root, cwd: root, trustedFolder: true, folderTrust: false };
  const more = { includeDirectories: second === undefined ? [] : [second], disableLLMCorrection: true };
  const config = new Config({ sessionId: "context", model, interactive: false, ...quiet, ...folder, ...more });
  await config.initialize();
  // Writing asks for the client of the model, though it does not use it.
  process.env.GEMINI_API_KEY = "none";
  await config.refreshAuth("gemini-api-key");
  const registry = config.getToolRegistry();
  const abortSignal = new AbortController().signal;
  const declarations = registry.getFunctionDeclarations(model).filter(({ name }) => NAMES.includes(name));
  return hostOf(
    declarations.map(({ name, description, parametersJsonSchema }) => ({
      name,
      description,
      parameters: parametersJsonSchema,
      run: async (params) => (await registry.getTool(name)?.build(params).execute({ abortSignal }))?.llmContent,
    })),
  );
};
