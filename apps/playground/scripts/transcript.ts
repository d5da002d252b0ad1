import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { copyDemo } from "../src/demo.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const target = fileURLToPath(new URL("../../../docs/playground-transcript.md", import.meta.url));

interface Run {
  readonly title: string;
  readonly words: string;
  /** As a user would type it; the program itself comes in front. */
  readonly command: string;
  /** What the user types in answer. */
  readonly input?: string;
}

const demo = copyDemo();

const RUNS: readonly Run[] = [
  {
    title: "An open question",
    words: "Grep finds the files and the lines, Read shows the passage. The last line tells what entered the context.",
    command: 'ask "How does the truncator decide what to keep?"',
  },
  {
    title: "An edit",
    words: "Nothing is written before the `y`. The project is a copy of the demo in a temporary folder.",
    command: `ask 'Change "apple: 0.6" to "apple: 0.75" in src/prices.ts' --root ORCHARD --write`,
    input: "y\n",
  },
  { title: "A count", words: "", command: 'ask "How many TypeScript files are there?"' },
  {
    title: "An error and its recovery",
    words: "The planner takes the path that the error suggests.",
    command: 'ask "Read packages/ls/src/tol.ts lines 1-3"',
  },
  { title: "Beyond its rules", words: "", command: 'ask "What is the weather in Paris?"' },
  { title: "One call", words: "", command: "run Read path=LICENSE limit=3 --text" },
  { title: "The same call as a program gets it", words: "", command: "run Read path=LICENSE limit=3" },
];

const sections: string[] = [];
for (const run of RUNS) sections.push(await sectionOf(run));
demo.remove();
writeFileSync(
  target,
  `# The playground in the terminal

Real runs in this repository, with the offline planner: no key, no network. Steps go to stderr and the answer to stdout; here they stand together. \`pnpm --filter @fstools/playground transcript\` writes this page.

${sections.join("\n\n")}
`,
);

async function sectionOf({ title, words, command, input = "" }: Run): Promise<string> {
  const program = "node --conditions=@fstools/source --import tsx apps/playground/src/cli/main.ts";
  const typed = command.replace("ORCHARD", `'${demo.root}'`);
  const pending = promisify(execFile)("sh", ["-c", `${program} ${typed} 2>&1`], { cwd: repository });
  pending.child.stdin?.end(input);
  const { stdout } = await pending;
  const shown = `$ pnpm -s playground ${command.replace("ORCHARD", "orchard")}\n${stdout.trimEnd()}`;
  const block = shown
    .split("\n")
    .map((line) => `    ${line}`.trimEnd())
    .join("\n");
  return [`## ${title}`, words, block].filter((part) => part !== "").join("\n\n");
}
