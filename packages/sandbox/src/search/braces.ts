/** A pattern cut at its braces: text, and groups of sequences, one of which is chosen. */
type Sequence = readonly (string | readonly Sequence[])[];

/** How far a pattern may expand. */
export interface BraceLimits {
  readonly maxAlternatives: number;
  /** Of all alternatives together. */
  readonly maxCharacters: number;
}

/**
 * Expands `{a,b}`, also nested, into all alternatives; braces without a comma or a partner are ordinary characters.
 * Returns the name of the limit instead if they would exceed one; that is checked before any of them is built.
 */
export function expandBraces(pattern: string, limits: BraceLimits): readonly string[] | keyof BraceLimits {
  const sequence = parseSequence(pattern, 0, pattern.length, findGroups(pattern));
  const { alternatives, characters } = measure(sequence);
  if (alternatives > limits.maxAlternatives) return "maxAlternatives";
  if (characters > limits.maxCharacters) return "maxCharacters";
  const built: string[] = [];
  build(sequence, 0, "", (text) => built.push(text));
  return built;
}

/** Cuts a pattern at the slashes outside its groups, so that each part can be expanded on its own. */
export function splitOutsideBraces(pattern: string): string[] {
  const groups = findGroups(pattern);
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < pattern.length; index += 1) {
    index = groups.get(index) ?? index;
    if (pattern[index] !== "/") continue;
    parts.push(pattern.slice(start, index));
    start = index + 1;
  }
  return [...parts, pattern.slice(start)];
}

/** Where each group opens and closes; found in one pass, so that unbalanced braces cost nothing. */
function findGroups(pattern: string): ReadonlyMap<number, number> {
  const groups = new Map<number, number>();
  const open: { readonly index: number; hasComma: boolean }[] = [];
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    const innermost = open.at(-1);
    if (character === "{") open.push({ index, hasComma: false });
    else if (innermost === undefined) continue;
    else if (character === ",") innermost.hasComma = true;
    else if (character === "}") {
      open.pop();
      if (innermost.hasComma) groups.set(innermost.index, index);
    }
  }
  return groups;
}

function parseSequence(pattern: string, start: number, end: number, groups: ReadonlyMap<number, number>): Sequence {
  const sequence: (string | readonly Sequence[])[] = [];
  let textStart = start;
  for (let index = start; index < end; index += 1) {
    const close = groups.get(index);
    if (close === undefined) continue;
    if (index > textStart) sequence.push(pattern.slice(textStart, index));
    sequence.push(parseGroup(pattern, index, close, groups));
    textStart = close + 1;
    index = close;
  }
  if (end > textStart) sequence.push(pattern.slice(textStart, end));
  return sequence;
}

function parseGroup(pattern: string, open: number, close: number, groups: ReadonlyMap<number, number>): Sequence[] {
  const sequences: Sequence[] = [];
  let start = open + 1;
  for (let index = start; index <= close; index += 1) {
    if (index === close || pattern[index] === ",") {
      sequences.push(parseSequence(pattern, start, index, groups));
      start = index + 1;
    } else {
      index = groups.get(index) ?? index;
    }
  }
  return sequences;
}

interface Size {
  readonly alternatives: number;
  readonly characters: number;
}

function measure(sequence: Sequence): Size {
  let [alternatives, characters] = [1, 0];
  for (const piece of sequence) {
    const size = typeof piece === "string" ? { alternatives: 1, characters: piece.length } : measureGroup(piece);
    characters = characters * size.alternatives + size.characters * alternatives;
    alternatives *= size.alternatives;
  }
  return { alternatives, characters };
}

function measureGroup(options: readonly Sequence[]): Size {
  let [alternatives, characters] = [0, 0];
  for (const option of options) {
    const size = measure(option);
    alternatives += size.alternatives;
    characters += size.characters;
  }
  return { alternatives, characters };
}

/** Each alternative goes to `take` as soon as it is complete: collecting them at every level would be quadratic. */
function build(sequence: Sequence, index: number, start: string, take: (text: string) => void): void {
  const piece = sequence[index];
  const isLast = index >= sequence.length - 1;
  const goOn = isLast
    ? take
    : (text: string): void => {
        build(sequence, index + 1, text, take);
      };
  if (piece === undefined || typeof piece === "string") goOn(start + (piece ?? ""));
  else for (const option of piece) build(option, 0, start, goOn);
}
