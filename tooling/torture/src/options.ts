import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface Options {
  readonly minutes: number;
  /** Go on no longer than it takes to try everything once or twice. */
  readonly short: boolean;
  readonly seed: string;
  readonly only: readonly string[];
  readonly mutants: boolean;
}

export const USAGE = `pnpm torture [--minutes N | --short] [--seed S] [--only ATTACK]
pnpm torture --mutants [--only MUTANT]

  --minutes N    how long to go on, 3 unless told; what each attack must reach at least may take longer
  --short        a small part of every attack, as the tests run it
  --seed S       the same seed makes the same run; a new one is drawn and printed unless told
  --only NAME    only attacks (or mutants) whose name contains NAME; may be given more than once
  --mutants      break a copy of the code in one place after the other and see that an attack finds each`;

/** @throws if an argument is unknown or out of range */
export function parseOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: argv.filter((argument) => argument !== "--"),
    options: {
      minutes: { type: "string", default: "3" },
      short: { type: "boolean", default: false },
      seed: { type: "string", default: String(Date.now()) },
      only: { type: "string", multiple: true, default: [] },
      mutants: { type: "boolean", default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 24 * 60))
    throw new Error(`--minutes must be a positive number, not '${values.minutes}'.`);
  return { ...values, minutes };
}
