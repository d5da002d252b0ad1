import { conversationFrom, modelFrom, projectFrom, type Settings } from "./setup.ts";
import { paint } from "./style.ts";
import { linesOf, runTurn } from "./turn.ts";
import { undoIn } from "./undo.ts";

const HELP =
  "Ask about the project. /undo undoes the last change, /new forgets the conversation, /exit or Ctrl+D leaves, Ctrl+C stops an answer.";

/** A conversation in the terminal. */
export async function chat(_given: readonly string[], settings: Settings): Promise<number> {
  const project = projectFrom(settings);
  const chosen = modelFrom(settings, process.stdout.isTTY ? 6 : 0);
  let conversation = conversationFrom(settings, project, chosen);
  console.log(paint("dim", `model: ${chosen.label}\n${HELP}\n`));
  let running: AbortController | undefined;
  const lines = linesOf(() => {
    if (running) running.abort();
    else lines.close();
  }, process.stdout);
  for (;;) {
    const question = (await lines.next("> "))?.trim();
    if (question === undefined || question === "/exit") break;
    if (question === "/new") conversation = conversationFrom(settings, project, chosen);
    else if (question === "/undo") await undoIn(project);
    else if (question === "/help") console.log(HELP);
    else if (question !== "") {
      running = new AbortController();
      // A conversation is one text, so it goes to one stream.
      const outputs = { steps: process.stdout, answer: process.stdout };
      await runTurn({ conversation, question, lines, signal: running.signal, ...outputs });
      running = undefined;
    }
  }
  lines.close();
  return 0;
}
