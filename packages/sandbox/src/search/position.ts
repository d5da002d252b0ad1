import { segments, type Place } from "../names/safe-path.ts";
import { createSegment, isAbsolute, type Alternative, type Segment } from "./pattern.ts";

/** Where a walk is in a pattern: everything that is left to match after the path so far. */
export interface Position {
  /** The only names of entries that can match here or lead on, if wildcards leave no more than a few. */
  readonly onlyNames: readonly string[] | undefined;
  /** The names of the only path from here that can match, the file's last, if no wildcard is left. */
  readonly onlyPath: readonly string[] | undefined;
  /** Whether a file of this name, right here, matches the pattern. */
  matches(name: string): boolean;
  /** Where the walk is after entering a directory of this name; undefined if nothing below it can match. */
  enter(name: string): Position | undefined;
}

/** What is left of one alternative of the pattern. */
export interface Remainder {
  /** The segment that comes next, other than `**`; undefined at the end. */
  readonly segment: Segment | undefined;
  readonly next: Remainder | undefined;
  /** Whether a `**` comes right before, so that any directory may be skipped. */
  readonly isAfterGlobstar: boolean;
}

/** A segment that comes next in one or more alternatives, and what is left after it. */
interface Step {
  readonly segment: Segment;
  readonly targets: Remainder[];
  /** Where this step alone leads; set on first use. */
  position?: Position | undefined;
}

/** Past this, one listing costs less than looking up each name. */
const MAX_ONLY_NAMES = 8;

/** A whole alternative as a remainder. */
function toRemainder(parts: readonly Segment[]): Remainder {
  let remainder: Remainder = { segment: undefined, next: undefined, isAfterGlobstar: false };
  for (const segment of parts.toReversed()) {
    const isGlobstar = segment.text === "**" && !segment.isLiteral;
    remainder = isGlobstar
      ? { ...remainder, isAfterGlobstar: true }
      : { segment, next: remainder, isAfterGlobstar: false };
  }
  return remainder;
}

/** What is left after entering a directory of this name. */
function advance(remainders: readonly Remainder[], name: string): readonly Remainder[] {
  const steps = stepsFrom(remainders);
  return [...steps.lasting, ...stepsThrough(steps, name).flatMap(({ targets }) => targets)];
}

/** The position with these remainders; undefined if no file at or below it can match. */
export function createPosition(remainders: readonly Remainder[]): Position | undefined {
  const steps = stepsFrom(remainders);
  const { lasting, literals, wildcards } = steps;
  if (lasting.length === 0 && literals.size === 0 && wildcards.length === 0) return undefined;

  const matchesAll = lasting.some(({ segment }) => segment === undefined);
  const names = new Set([...literals.values()].filter(endsPattern).map(({ segment }) => segment.text));
  const tests = wildcards.filter(endsPattern).map(({ segment }) => segment.matches);
  let below: Position | undefined;

  return {
    onlyNames:
      lasting.length + wildcards.length === 0 && literals.size <= MAX_ONLY_NAMES ? [...literals.keys()] : undefined,
    onlyPath: lasting.length === 0 && remainders.length === 1 ? remainders.map(literalNames)[0] : undefined,
    matches: (name) => matchesAll || names.has(name) || tests.some((matches) => matches(name)),
    enter(name) {
      const taken = stepsThrough(steps, name);
      const [first] = taken;
      if (first === undefined) return lasting.length === 0 ? undefined : (below ??= createPosition(lasting));
      if (taken.length === 1) return (first.position ??= createPosition([...lasting, ...first.targets]));
      return createPosition([...lasting, ...taken.flatMap(({ targets }) => targets)]);
    },
  };
}

/** Whether a file at this path, relative to this position, matches the pattern. */
export function matchesPath(position: Position | undefined, path: string): boolean {
  const names = path.split("/");
  const name = names.pop() ?? "";
  const directory = names.reduce((here: Position | undefined, entered) => here?.enter(entered), position);
  return directory?.matches(name) ?? false;
}

function literalNames(remainder: Remainder): string[] | undefined {
  const names: string[] = [];
  let rest: Remainder | undefined = remainder;
  for (; rest?.segment !== undefined; rest = rest.next) {
    if (rest.isAfterGlobstar || !rest.segment.isLiteral) return undefined;
    names.push(rest.segment.text);
  }
  return rest?.isAfterGlobstar === true ? undefined : names;
}

function stepsFrom(remainders: readonly Remainder[]) {
  const reached = new Set(remainders);
  const literals = new Map<string, Step>();
  const wildcards = new Map<string, Step>();
  for (const { segment, next } of reached) {
    if (segment === undefined || next === undefined) continue;
    if (!segment.isLiteral) addStep(wildcards, segment, next);
    // A segment that spells an entry's name exactly means it, even if its brackets, read as a class, would not match.
    if (segment.isLiteral || !segment.matches(segment.text)) addStep(literals, segment, next);
  }
  /** What remains whichever directory is entered. */
  const lasting = [...reached].filter(({ isAfterGlobstar }) => isAfterGlobstar);
  return { lasting, literals, wildcards: [...wildcards.values()] };
}

function addStep(steps: Map<string, Step>, segment: Segment, target: Remainder): void {
  const step = steps.get(segment.text);
  if (step === undefined) steps.set(segment.text, { segment, targets: [target] });
  else step.targets.push(target);
}

function stepsThrough({ literals, wildcards }: ReturnType<typeof stepsFrom>, name: string): Step[] {
  const taken = wildcards.filter(({ segment }) => segment.matches(name));
  const literal = literals.get(name);
  if (literal !== undefined) taken.push(literal);
  return taken;
}

/** Whether the whole pattern has matched; behind a `**` at its end there has to be a name. */
export function isEnd({ segment, isAfterGlobstar }: Remainder): boolean {
  return segment === undefined && !isAfterGlobstar;
}

function endsPattern({ targets }: Step): boolean {
  return targets.some(isEnd);
}

/** Where a search starts, and how an absolute pattern may spell that, or a root; relative spellings do not count. */
interface SearchRoot extends Pick<Place, "relative"> {
  readonly spellings: readonly string[];
  readonly roots: readonly { readonly path: Pick<Place, "relative">; readonly spellings: readonly string[] }[];
}

/** What is left of a pattern where a search starts; an absolute one is first taken relative to where it points. */
export function remaindersAt(
  { relative, spellings, roots }: SearchRoot,
  alternatives: readonly Alternative[],
): readonly Remainder[] {
  return alternatives.flatMap((alternative) => {
    const fromStart = lengthOfPrefix(alternative, spellings);
    if (fromStart !== undefined) return toRemainder(alternative.segments.slice(fromStart));
    for (const { path, spellings: rootSpellings } of roots) {
      const fromRoot = lengthOfPrefix(alternative, rootSpellings);
      if (fromRoot === undefined) continue;
      const names = segments(path.relative).map((name) => createSegment(name, true));
      return segments(relative).reduce(advance, [toRemainder([...names, ...alternative.segments.slice(fromRoot)])]);
    }
    return toRemainder(alternative.segments);
  });
}

/** How many segments of an absolute pattern spell one of these directories; undefined if none. */
function lengthOfPrefix(alternative: Alternative, spellings: readonly string[]) {
  if (!alternative.isAbsolute) return undefined;
  const prefixes = spellings.filter(isAbsolute).map((path) => segments(path.replaceAll("\\", "/")));
  return prefixes.find((names) => names.every((name, index) => alternative.segments[index]?.text === name))?.length;
}
