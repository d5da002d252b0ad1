/** A question to begin with. */
export interface StarterQuestion {
  readonly question: string;
  /** Asked of the demo project, where an edit does no harm. */
  readonly inDemo?: boolean | undefined;
}

/** Asks for an edit. */
const EDIT: StarterQuestion = { question: 'Change "apple: 0.6" to "apple: 0.75" in src/prices.ts', inDemo: true };

const DEMO = [
  EDIT.question,
  "Rename `countApples` to `countFruit`",
  "How are prices set?",
  "Where is `priceOf` defined?",
  "Which files mention DISCOUNT?",
  "What is this project?",
];

const OWN = [
  "How does the truncator decide what to keep?",
  "Where is `createSandbox` defined?",
  "Compare packages/ls and packages/glob",
  "How many TypeScript files are there?",
  "What is this project?",
];

const ANY = [
  "What is this project?",
  "How many TypeScript files are there?",
  "Find all markdown files",
  "Which files changed last?",
  "Which files mention TODO?",
];

/** Which project a page shows: the demo, this repository itself, or any other. */
export type ProjectKind = "demo" | "own" | "any";

/** What to ask first; the first of all ends in an edit to approve. */
export function starterQuestions(kind: ProjectKind): readonly StarterQuestion[] {
  if (kind === "demo") return DEMO.map((question) => ({ question }));
  return [EDIT, ...(kind === "own" ? OWN : ANY).map((question) => ({ question }))];
}
