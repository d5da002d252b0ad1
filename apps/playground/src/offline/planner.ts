import { explain } from "./explain.ts";
import { find } from "./find.ts";
import { look, type Investigation } from "./investigation.ts";
import { answerListing, list } from "./list.ts";
import { locate } from "./locate.ts";
import { mention } from "./mention.ts";
import { answerPage } from "./quote.ts";
import { countLines, read } from "./read.ts";
import type { Observation } from "./observation.ts";
import { summarise } from "./summarise.ts";
import { taskOf, type Task } from "./task.ts";

/** Ends every answer, so that nobody takes the planner for more than it is. */
export const DISCLAIMER =
  "_Offline planner: a rule-based stand-in, not a language model. It matches words and quotes what the tools returned._";

const ABOUT = `I am a small rule-based planner that stands in for a language model, so that you can try the tools without an API key. I can list, find, read, locate and summarise, for example:

- What is in src?
- Find all markdown files.
- Read README.md lines 1-20
- Where is \`createServer\` defined?
- Summarise package.json
- How does … work?

My rules are for English. For real conversations, start the playground with --base-url and --model.`;

const CHANGE =
  "I can only look: LS, Glob and Read list, find and read files. Nothing here changes a file or runs a command. " +
  "Ask me what a file says, where something is defined, or what a folder holds.";

/** The course of action for a question, given what earlier turns showed. */
export function* investigate(question: string, earlier: readonly Observation[]): Investigation<string> {
  const answer = yield* perform(taskOf(question, lastPath(earlier)), earlier);
  return `${answer}\n\n${DISCLAIMER}`;
}

function perform(task: Task, earlier: readonly Observation[]): Investigation<string> {
  switch (task.kind) {
    case "about":
      return say(ABOUT);
    case "continue":
      return goOn(earlier);
    case "list":
      return list(task.path);
    case "find":
      return find(task.pattern, task.within, task.subject);
    case "read":
      return read(task.path, task.lines);
    case "change":
      return say(CHANGE);
    case "mention":
      return mention(task.name);
    case "locate":
      return locate(task.symbol);
    case "summarise":
      return summarise(task.path);
    case "count-lines":
      return countLines(task.path);
    case "explain":
      return explain(task.keywords, task.guides);
  }
}

// eslint-disable-next-line require-yield -- an answer that needs no look
function* say(words: string): Investigation<string> {
  return words;
}

/** "Continue" takes up the last hint that was left open. */
function* goOn(earlier: readonly Observation[]): Investigation<string> {
  const open = earlier.findLast((observation) => "next" in observation && observation.next !== undefined);
  if (!open || !("next" in open) || !open.next) return "There is nothing to continue: the last answer was complete.";
  const seen = yield* look("I follow the last hint to the next page.", open.next.tool, open.next.params);
  return seen?.kind === "page" ? answerPage(seen) : yield* answerListing(".", seen);
}

function lastPath(earlier: readonly Observation[]): string | undefined {
  return earlier.findLast((observation) => observation.kind === "page")?.path;
}
