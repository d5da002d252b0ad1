/** Which project a page shows: the demo, this repository itself, or any other. */
export type ProjectKind = "demo" | "own" | "any";

/** What the demo answers before anyone asks. */
export const OPENING_QUESTION = "How is the discount worked out?";

/** What to ask first, by the strength that each question shows. */
export const QUESTIONS: Readonly<Record<ProjectKind, Readonly<Record<string, string>>>> = {
  demo: {
    "The first page of 5,000 files": "What is in measurements?",
    "Grep, then Read of exactly the lines": "Where is priceOf defined?",
    "An edit that waits for you": 'Change "apple: 0.6" to "apple: 0.75" in src/prices.ts',
    "A rename over three files": "Rename countApples to countFruit",
    "A conflict, and the way out": 'Overwrite docs/pricing.md with "Ask Ann."',
  },
  own: {
    "An open question": "How does the truncator decide what to keep?",
    "A definition": "Where is createSandbox defined?",
    Exports: "What does packages/ls export?",
    "Files by pattern": "Find all markdown files in docs",
    "Lines of code": "Which package is the biggest?",
  },
  any: {
    "An overview": "What is this project?",
    "Files by pattern": "Find all markdown files",
    "Files by time": "Which files changed last?",
    "Every TODO": "Any TODO or FIXME?",
  },
};
