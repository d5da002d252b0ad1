/** A repeatable source of chance: the same seed gives the same run. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  /** @throws if there is nothing to pick from */
  pick<Item>(items: readonly Item[]): Item;
  bytes(length: number): Buffer;
}

/** Seeds an xoshiro128** generator from any text. */
export function createRandom(seed: string): Random {
  let [a, b, c, d] = mixSeed(seed);
  const next = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
  const fraction = () => next() / 2 ** 32;
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined && items.length === 0) throw new Error("There is nothing to pick from.");
      return item as (typeof items)[number];
    },
    bytes: (length) => {
      const buffer = Buffer.allocUnsafe(length);
      for (let index = 0; index < length; index++) buffer[index] = next() & 0xff;
      return buffer;
    },
  };
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mixSeed(seed: string): [number, number, number, number] {
  let hash = 2166136261;
  for (const char of seed) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619);
  const word = () => {
    hash = (hash + 0x9e3779b9) | 0;
    let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) | 1;
  };
  return [word(), word(), word(), word()];
}
