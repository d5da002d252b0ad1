/** Which project a page shows: the demo, or that and another as one, this repository itself, or any other. */
export type ProjectKind = "demo" | "roots" | "own" | "any";

/** What the demos answer before anyone asks. */
export const OPENING_QUESTIONS: Readonly<Partial<Record<ProjectKind, string>>> = {
  demo: "How is the discount worked out?",
  roots: "Who calls priceOf?",
};

/** What to ask first, by the strength that each question shows. */
export const QUESTIONS: Readonly<Record<ProjectKind, Readonly<Record<string, string>>>> = {
  demo: {
    "The first page of 1,000 files": "What is in measurements?",
    "Grep, then Read of exactly the lines": "Where is priceOf defined?",
    "An edit: approve it, then undo it": 'Change "apple: 0.6" to "apple: 0.75" in src/prices.ts',
    "A patch over four files": "Rename countApples to countFruit",
    "A conflict, and the way out": 'Overwrite docs/pricing.md with "Ask Ann."',
    "A picture": "Show docs/prices.png",
  },
  roots: {
    "One list of both": "Find all ts files",
    "A root that is only read": "Change 9 to 8 in cidery/src/press.ts",
    "An edit in the other": "Set DISCOUNT to 0.2",
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
