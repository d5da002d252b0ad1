import { nastyString } from "./names.ts";
import type { Random } from "./random.ts";

const NUMBERS = [0, -0, 1, -1, 2, 50, 200, 201, 500, 2000, 2001, 0.5, 1.5, NaN, Infinity, -Infinity];
const LARGE_NUMBERS = [2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 1e21, 1e308, 5e-324, -(2 ** 53)];

/** Any value that JavaScript can pass, the sane ones more often than the others. */
function nastyValue(random: Random, depth = 0): unknown {
  const kind = random.integer(0, depth > 3 ? 7 : 11);
  if (kind <= 2) return nastyString(random);
  if (kind <= 4) return random.pick(random.chance(0.8) ? NUMBERS : LARGE_NUMBERS);
  if (kind === 5) return random.pick([true, false, null, undefined]);
  if (kind === 6) return random.pick(["1", "true", "null", "", "1e3", "0x10", "[]"]);
  if (kind === 7) return random.chance(0.9) ? random.integer(-5, 2500) : exotic(random);
  if (kind <= 9) return Array.from({ length: random.integer(0, 5) }, () => nastyValue(random, depth + 1));
  return nastyObject(random, depth + 1);
}

const KEYS = [
  ...["path", "pattern", "limit", "offset", "a", "__proto__", "constructor", "toString", "toJSON", "then", "length"],
];

function nastyObject(random: Random, depth: number): object {
  const entries = Array.from({ length: random.integer(0, 4) }, () => [
    random.chance(0.7) ? random.pick(KEYS) : nastyString(random),
    nastyValue(random, depth),
  ]);
  const result = {};
  if (random.chance(0.2)) Object.setPrototypeOf(result, null);
  for (const [key, value] of entries) define(result, String(key), value);
  return result;
}

/** An own property, also where the name is `__proto__`. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** What JSON cannot hold, and what fights back when it is looked at. */
function exotic(random: Random): unknown {
  return random.pick<() => unknown>([
    () => 10n ** 30n,
    () => Symbol("s"),
    () => () => 1,
    () => new Date(NaN),
    () => new Map([[1, 2]]),
    () => new Error("boom"),
    () => Buffer.from("buffer"),
    () => new String("src"),
    () => nested(random.integer(100, 20_000)),
    circular,
    throwingGetter,
    throwingProxy,
    () => ({
      toJSON: () => {
        throw new Error("toJSON");
      },
    }),
    () => ({
      toString: () => {
        throw new Error("toString");
      },
    }),
    () => Array.from({ length: random.integer(1000, 20_000) }, (_, index) => `*${String(index)}`),
  ])();
}

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { value } : [value];
  return value;
}

function circular(): object {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

function throwingGetter(): object {
  return Object.defineProperty({}, "path", {
    enumerable: true,
    get: () => {
      throw new Error("getter");
    },
  });
}

function throwingProxy(): object {
  const refuse = () => {
    throw new Error("proxy");
  };
  return new Proxy({}, { get: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse });
}

const PARAMETERS = {
  path: nastyString,
  filePath: nastyString,
  pattern: nastyString,
  offset: (random: Random) => random.integer(0, 30),
  limit: (random: Random) => random.integer(0, random.chance(0.8) ? 200 : 2100),
  start_line: (random: Random) => random.integer(0, 5),
  start_column: (random: Random) => random.integer(0, 5),
  encoding: (random: Random) =>
    random.pick(["utf-8", "latin1", "utf16le", "shift_jis", "hex", "nonsense", "__proto__"]),
  include_hidden: (random: Random) => random.chance(0.5),
  include_ignored: (random: Random) => random.chance(0.5),
  ignore: (random: Random) => Array.from({ length: random.integer(0, 4) }, () => nastyString(random)),
};
const PARAMETER_NAMES = Object.keys(PARAMETERS);

/** What a tool takes, for those who mean to send something else. */
export interface Signature {
  readonly required: string;
  readonly parameters: readonly string[];
  /** Values of the required parameter that make sense. */
  readonly samples: readonly string[];
}

/** Parameters as a confused model sends them: mostly known names, often the right type, now and then anything. */
export function nastyParams(random: Random, { required, parameters, samples }: Signature): unknown {
  if (random.chance(0.04)) return nastyValue(random);
  if (random.chance(0.01)) return exotic(random);
  const params: Record<string, unknown> = {};
  if (random.chance(0.9)) define(params, required, random.chance(0.7) ? random.pick(samples) : nastyString(random));
  for (let count = random.integer(0, 3); count > 0; count--) {
    const name = random.pick(random.chance(0.8) ? parameters : [...PARAMETER_NAMES, nastyString(random)]);
    const sane = Object.hasOwn(PARAMETERS, name) && random.chance(0.8);
    if (name === required && random.chance(0.9)) continue;
    define(params, name, sane ? PARAMETERS[name as keyof typeof PARAMETERS](random) : nastyValue(random));
  }
  return params;
}
