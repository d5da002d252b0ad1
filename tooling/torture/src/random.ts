import { createHash } from "node:crypto";

export interface Random {
  fraction(): number;
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  bytes(length: number): Buffer;
}

export function createRandom(seed: string): Random {
  let state = createHash("sha256").update(seed).digest().readUInt32LE();
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
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
