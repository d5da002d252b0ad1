import type { Random } from "./random.ts";

/** How much of every attack: a full run, or enough to see that each still works, as the tests run it. */
export type Extent = "full" | "short";

/** One way of trying to break the tools. */
export interface Attack {
  readonly name: string;
  /** What it does and what it would catch, in one sentence. */
  readonly what: string;
  /** How many attempts a run makes at least, however long they take. */
  readonly minimum: Readonly<Record<Extent, number>>;
  readonly run: (arena: Arena) => Promise<void>;
}

/** What an attack gets to work with. */
export interface Arena {
  readonly random: Random;
  /** An empty directory of its own, removed afterwards. */
  readonly folder: string;
  readonly tally: Tally;
  /**
   * False when time is up and the minimum is reached. An attack that depends on chance says whether it has struck yet:
   * on a busy machine it gets more time for that.
   */
  readonly goOn: (hasStruck?: boolean) => boolean;
}

/** What an attack has to report. */
export interface Summary {
  readonly attempts: number;
  readonly violationCount: number;
  /** The first few, in words. */
  readonly violations: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
}

/** Counts attempts and violations. */
export interface Tally {
  readonly attempt: (count?: number) => void;
  readonly violation: (description: string) => void;
  /** Adds a figure to the summary line. */
  readonly note: (name: string, value: string) => void;
  readonly attempts: number;
  /** Whether so much is wrong that going on would find nothing new. */
  readonly isHopeless: boolean;
  readonly summary: () => Summary;
}

const SHOWN_VIOLATIONS = 10;
const SHOWN_CHARS = 600;

export function createTally(): Tally {
  let attempts = 0;
  let violationCount = 0;
  const violations: string[] = [];
  const notes: Record<string, string> = {};
  return {
    attempt: (count = 1) => {
      attempts += count;
    },
    violation: (description) => {
      violationCount++;
      if (violations.length < SHOWN_VIOLATIONS) violations.push(description.slice(0, SHOWN_CHARS));
    },
    note: (name, value) => {
      notes[name] = value;
    },
    get attempts() {
      return attempts;
    },
    get isHopeless() {
      return violationCount >= SHOWN_VIOLATIONS;
    },
    summary: () => ({ attempts, violationCount, violations, notes }),
  };
}
