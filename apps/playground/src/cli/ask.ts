import { conversationFrom, modelFrom, projectFrom, type Settings } from "./setup.ts";
import { paint } from "./style.ts";
import { linesOf, runTurn } from "./turn.ts";

/** One question: the steps on stderr, the answer on stdout. */
export async function ask(words: readonly string[], settings: Settings): Promise<number> {
  const chosen = modelFrom(settings, process.stdout.isTTY ? 6 : 0);
  const conversation = conversationFrom(settings, projectFrom(settings), chosen);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once("SIGINT", stop);
  const lines = linesOf(stop);
  console.error(paint("dim", `model: ${chosen.label}`, process.stderr));
  const [, code] = await runTurn({
    ...{ conversation, question: words.join(" "), lines, signal: interrupt.signal },
    ...{ steps: process.stderr, answer: process.stdout },
    onChunk: settings.json === true ? (chunk) => process.stdout.write(`${JSON.stringify(chunk)}\n`) : undefined,
  });
  lines.close();
  process.removeListener("SIGINT", stop);
  return code;
}
