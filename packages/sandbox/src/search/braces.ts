/** How far a pattern may expand. */
export interface BraceLimits {
  readonly maxAlternatives: number;
  /** Of all alternatives together. */
  readonly maxCharacters: number;
}

/**
 * Expands `{a,b}`, also nested, into all alternatives; braces without a comma or a partner are ordinary characters.
 * Returns the name of the limit instead where they would exceed one, before any more are built.
 */
export function expandBraces(pattern: string, limits: BraceLimits): readonly string[] | keyof BraceLimits {
  const groups = findGroups(pattern);
  let exceeded: keyof BraceLimits | undefined;

  function expand(from: number, to: number): readonly string[] {
    let built: readonly string[] = [""];
    let textFrom = from;
    for (let index = from; index < to; index += 1) {
      const close = groups.get(index);
      if (close === undefined) continue;
      built = combine(combine(built, [pattern.slice(textFrom, index)]), expandGroup(index, close));
      textFrom = close + 1;
      index = close;
    }
    return combine(built, [pattern.slice(textFrom, to)]);
  }

  function expandGroup(open: number, close: number): string[] {
    const all: string[] = [];
    let from = open + 1;
    for (let index = from; index <= close && exceeded === undefined; index += 1) {
      if (index !== close && pattern[index] !== ",") {
        index = groups.get(index) ?? index;
        continue;
      }
      all.push(...expand(from, index));
      from = index + 1;
    }
    return all;
  }

  function combine(left: readonly string[], right: readonly string[]): readonly string[] {
    const characters = right.length * lengthOf(left) + left.length * lengthOf(right);
    if (left.length * right.length > limits.maxAlternatives) exceeded ??= "maxAlternatives";
    else if (characters > limits.maxCharacters) exceeded ??= "maxCharacters";
    return exceeded === undefined ? left.flatMap((start) => right.map((end) => start + end)) : [];
  }

  const alternatives = expand(0, pattern.length);
  return exceeded ?? alternatives;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
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
