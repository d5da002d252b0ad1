import { answerPage } from "./evidence/quote.ts";
import { look, type Investigation } from "./investigation.ts";
import type { Observation } from "./observation.ts";
import type { Beyond } from "./question/beyond.ts";
import { taskOf, type Task } from "./question/task.ts";
import { create, rename, replace } from "./tasks/change.ts";
import { compare } from "./tasks/compare.ts";
import { count } from "./tasks/count.ts";
import { explain } from "./tasks/explain.ts";
import { find } from "./tasks/find.ts";
import { largest } from "./tasks/largest.ts";
import { answerListing, list } from "./tasks/list.ts";
import { locate } from "./tasks/locate.ts";
import { mention } from "./tasks/mention.ts";
import { countLines, read } from "./tasks/read.ts";
import { recent } from "./tasks/recent.ts";
import { summarise } from "./tasks/summarise.ts";

/** Ends every answer, so that the planner is not mistaken for more than it is. */
export const DISCLAIMER =
  "_Offline planner: a rule-based stand-in, not a language model. It matches words and quotes what the tools returned._";

const CAN = `I can list, find, search, read, count, compare, locate and summarise, and make a small edit that you approve, for example:

- What is in src?
- How many TypeScript files are there?
- Which files mention TODO?
- Where is \`createServer\` defined?
- How does … work?
- Rename \`oldName\` to \`newName\` in src`;

const ABOUT = `I am a small rule-based planner that stands in for a language model, so that you can try the tools without an API key. ${CAN}

My rules are for English. For real conversations, start the playground with --base-url and --model.`;

const BEYOND: Readonly<Record<Beyond, string>> = {
  change:
    'My rules cover small edits only: "rename X to Y in PATH", "change X to Y in PATH", "create PATH with \'text\'".',
  run: "I cannot run anything: my tools look into files and edit them, and no more.",
  size: "No tool lists the sizes of many files. I can tell how big one file is, or find the largest in a folder of up to 200.",
  history: "My tools see files as they are now, not who changed them.",
  world: "That is not in this project's files, and I can look nowhere else.",
};

const READ_ONLY =
  "I can only look here: this project is open read-only, so there is no Edit and no Write. Start the playground with --write, or open the demo project.";

/** A question, and what there is to answer it with. */
export interface Request {
  readonly question: string;
  /** What earlier turns showed. */
  readonly earlier: readonly Observation[];
  readonly toolNames: ReadonlySet<string>;
}

/** The course of action for a question. */
export function* investigate({ question, earlier, toolNames }: Request): Investigation<string> {
  const task = taskOf(question, lastPath(earlier));
  const needed = NEEDS[task.kind];
  // Without any tools the last answer is due; it says what it has.
  const missing = needed !== undefined && toolNames.size > 0 && !toolNames.has(needed);
  const answer = missing ? READ_ONLY : yield* perform(task, earlier);
  return `${answer}\n\n${DISCLAIMER}`;
}

const NEEDS: Readonly<Partial<Record<Task["kind"], string>>> = { rename: "Edit", replace: "Edit", create: "Write" };

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
    case "beyond":
      return say(`${BEYOND[task.why]} ${CAN}`);
    case "rename":
      return rename(task);
    case "replace":
      return replace(task);
    case "create":
      return create(task.path, task.content);
    case "count":
      return count(task.include, task.within);
    case "largest":
      return largest(task.include, task.within);
    case "compare":
      return compare(task.first, task.second);
    case "recent":
      return recent(task.within);
    case "mention":
      return mention(task.name, task.within);
    case "locate":
      return locate(task.symbol);
    case "summarise":
      return summarise(task.path);
    case "count-lines":
      return countLines(task.path);
    case "explain":
      return explain(task);
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
  return earlier.findLast((one) => one.kind === "page" || one.kind === "change")?.path;
}
