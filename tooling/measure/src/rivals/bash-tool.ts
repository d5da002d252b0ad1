import { hostOf, importFrom, type OpenHost } from "./host.ts";
import { aiSdkTools, type AiTools } from "./ai-sdk.ts";

interface BashToolModule {
  readonly createBashTool: (options: object) => Promise<{ readonly tools: AiTools }>;
}

interface JustBash {
  readonly Bash: new (options: object) => object;
  readonly InMemoryFs: new () => object;
  readonly MountableFs: new (options: object) => { mount(path: string, files: object): void };
  readonly ReadWriteFs: new (options: object) => object;
}

/** A shell in JavaScript on the project's directory. */
export const open: OpenHost = async (root, second) => {
  const { createBashTool } = await importFrom<BashToolModule>("bash-tool", "bash-tool");
  const { Bash, InMemoryFs, MountableFs, ReadWriteFs } = await importFrom<JustBash>("bash-tool", "just-bash");
  const fs = new MountableFs({ base: new InMemoryFs() });
  fs.mount("/workspace", new ReadWriteFs({ root }));
  if (second !== undefined) fs.mount("/library", new ReadWriteFs({ root: second }));
  const sandbox = new Bash({ fs, cwd: "/workspace" });
  const { tools } = await createBashTool({ sandbox, destination: "/workspace" });
  return hostOf(await aiSdkTools("bash-tool", tools));
};
