import { importFrom, messageOf, textOf, type Definition, type OpenHost } from "./host.ts";

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
  // Gemini's takes an object, Qwen's the signal alone.
  execute(options: AbortSignal | { abortSignal: AbortSignal }): Promise<{ readonly llmContent: unknown }>;
}

/** The registry of Gemini CLI, or of a fork of it, with its own configuration and without a model. */
export function geminiLike(id: string, packageName: string, names: readonly string[], signalAlone: boolean): OpenHost {
  return async (root) => {
    const { Config } = await importFrom<Core>(id, packageName);
    const model = "gemini-2.5-pro";
    const quiet = { usageStatisticsEnabled: false, telemetry: { enabled: false }, debugMode: false };
    const folder = { targetDir: root, cwd: root, trustedFolder: true, folderTrust: false };
    const config = new Config({
      sessionId: "context",
      model,
      interactive: false,

      ...quiet,
      ...folder,
    });
    await config.initialize();
    // Writing asks for the client of the model, though it does not use it.
    process.env.GEMINI_API_KEY = "none";
    if (!signalAlone) await config.refreshAuth("gemini-api-key");
    const registry = config.getToolRegistry();
    const signal = new AbortController().signal;
    return {
      definitions: registry
        .getFunctionDeclarations(model)
        .filter(({ name }) => names.includes(name))
        .map(({ name, description, parametersJsonSchema }): Definition => ({
          name,
          description,
          parameters: parametersJsonSchema,
        })),
      call: async (name, params) => {
        try {
          const invocation = registry.getTool(name)?.build(params);
          const result = await invocation?.execute(signalAlone ? signal : { abortSignal: signal });
          return textOf(result?.llmContent ?? `Tool "${name}" not found in registry.`);
        } catch (error) {
          return messageOf(error);
        }
      },
    };
  };
}
