import type { ProjectKind } from "./project.ts";
import type { StarterQuestion } from "./server/api.ts";

/** What the demo answers before anyone asks. */
export const OPENING_QUESTION = "How is the discount worked out?";

const QUESTIONS: Readonly<Record<ProjectKind, readonly StarterQuestion[]>> = {
  demo: [
    { shows: "The first page of 5,000 files", question: "What is in measurements?" },
    { shows: "Grep, then Read of exactly the lines", question: "Where is `priceOf` defined?" },
    {
      shows: "An edit that waits for you",
      question: 'Change "apple: 0.6" to "apple: 0.75" in src/prices.ts',
    },
    { shows: "A rename over three files", question: "Rename `countApples` to `countFruit`" },
    { shows: "A conflict, and the way out", question: 'Overwrite docs/pricing.md with "Ask Ann."' },
  ],
  own: [
    { shows: "An open question", question: "How does the truncator decide what to keep?" },
    { shows: "A definition", question: "Where is `createSandbox` defined?" },
    { shows: "Exports", question: "What does packages/ls export?" },
    { shows: "A count without a list", question: "How many TypeScript files are there?" },
    { shows: "Lines of code", question: "Which package is the biggest?" },
  ],
  any: [
    { shows: "An overview", question: "What is this project?" },
    { shows: "A count without a list", question: "How many TypeScript files are there?" },
    { shows: "Files by pattern", question: "Find all markdown files" },
    { shows: "Files by time", question: "Which files changed last?" },
    { shows: "Every TODO", question: "Any TODO or FIXME?" },
  ],
};

/** What to ask first. */
export const starterQuestions = (kind: ProjectKind): readonly StarterQuestion[] => QUESTIONS[kind];
