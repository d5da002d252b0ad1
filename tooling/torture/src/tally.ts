export interface Summary {
  readonly attempts: number;
  readonly violationCount: number;
  readonly violations: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
}

export interface Tally {
  readonly attempt: (count?: number) => void;
  readonly violation: (description: string) => void;
  readonly saw: (what: string) => void;
  readonly hasSeen: (what: string) => boolean;
  readonly note: (name: string, value: string) => void;
  readonly attempts: number;
  readonly isHopeless: boolean;
  readonly summary: () => Summary;
}

const SHOWN_VIOLATIONS = 10;
const SHOWN_CHARS = 600;

export function createTally(): Tally {
  let [attempts, violationCount] = [0, 0];
  const violations: string[] = [];
  const seen: Record<string, number> = {};
  const notes: Record<string, string> = {};
  return {
    attempt: (count = 1) => void (attempts += count),
    violation: (description) => {
      violationCount++;
      if (violations.length < SHOWN_VIOLATIONS) violations.push(description.slice(0, SHOWN_CHARS));
    },
    saw: (what) => void (seen[what] = (seen[what] ?? 0) + 1),
    hasSeen: (what) => seen[what] !== undefined,
    note: (name, value) => void (notes[name] = value),
    get attempts() {
      return attempts;
    },
    get isHopeless() {
      return violationCount >= SHOWN_VIOLATIONS;
    },
    summary: () => {
      const counts = Object.entries(seen).map(([what, count]) => [what, String(count)] as const);
      return { attempts, violationCount, violations, notes: { ...Object.fromEntries(counts), ...notes } };
    },
  };
}
