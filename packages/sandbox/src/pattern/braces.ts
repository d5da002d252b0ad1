/** A pattern cut at its braces: text, and groups of sequences of which one is taken. */
type Sequence = readonly (string | readonly Sequence[])[];

/**
 * Expands `{a,b}`, also nested, into all alternatives; braces without a comma or a partner are ordinary characters.
 * Returns undefined if there are more than `maxAlternatives`, which is found out before any of them is built.
 */
export function expandBraces(pattern: string, maxAlternatives: number): readonly string[] | undefined {
  const sequence = parseSequence(pattern, 0, pattern.length, findGroups(pattern));
  return countAlternatives(sequence) > maxAlternatives ? undefined : buildAlternatives(sequence);
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
    sequence.push(pattern.slice(textStart, index), parseGroup(pattern, index, close, groups));
    textStart = close + 1;
    index = close;
  }
  sequence.push(pattern.slice(textStart, end));
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

function countAlternatives(sequence: Sequence): number {
  let count = 1;
  for (const piece of sequence) {
    if (typeof piece !== "string") count *= piece.reduce((sum, option) => sum + countAlternatives(option), 0);
  }
  return count;
}

function buildAlternatives(sequence: Sequence): string[] {
  let built = [""];
  for (const piece of sequence) {
    const endings = typeof piece === "string" ? [piece] : piece.flatMap(buildAlternatives);
    built = built.flatMap((start) => endings.map((ending) => start + ending));
  }
  return built;
}
