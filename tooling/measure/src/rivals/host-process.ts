/** A process of its own per set of tools. */
import { answerQuestions } from "../child/answer-questions.ts";
import type { OpenHost, Params } from "./host.ts";

const [name = "", root = "", second] = process.argv.slice(2);
const opened = import(`./${name}.ts`).then(async (module) => (module as { open: OpenHost }).open(root, second));

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
