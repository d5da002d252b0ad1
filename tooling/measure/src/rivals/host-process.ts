import { answerQuestions } from "../child.ts";
import type { OpenHost, Params } from "./host.ts";

const [name = "", root = "", second] = process.argv.slice(2);
const opened = opener().then(async (open) => open(root, second));

answerQuestions(
  async (question) => {
    const host = await opened;
    if (question === "definitions") return host.definitions;
    const { tool, params } = question as { readonly tool: string; readonly params: Params };
    const start = performance.now();
    const text = await host.call(tool, params);
    return { text, elapsedMs: performance.now() - start };
  },
  () => void opened.then((host) => host.close?.()),
);

async function opener(): Promise<OpenHost> {
  if (name.startsWith("fstools")) {
    const { open, openBare } = await import("./fstools.ts");
    return name === "fstools" ? open : openBare;
  }
  const open = ((await import("./hosts.js")).HOSTS as Readonly<Record<string, OpenHost>>)[name];
  if (open === undefined) throw new Error(`There is no rival '${name}'.`);
  return open;
}
