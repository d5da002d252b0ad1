import { parseArgs } from "node:util";

export type Options = ReturnType<typeof parseOptions>;

export const USAGE = `pnpm torture [--minutes N] [--short] [--seed S] [--only ATTACK] [--docs]
pnpm torture --mutants [--seed S] [--only MUTANT] [--docs]

  --minutes N    how long to go on, 3 unless told; what each attack must reach at least may take longer
  --short        a small part of every attack, as the tests run it
  --seed S       the same seed makes the same run; a new one is drawn and printed unless told
  --only NAME    only attacks (or mutants) whose name contains NAME; may be given more than once
  --mutants      break a copy of the code in one place after the other and see that an attack finds each
  --docs         write the result of a whole run into docs/reliability.md; not with --short or --only`;

export function parseOptions(argv: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: argv.filter((argument) => argument !== "--"),
    options: {
      minutes: { type: "string" },
      short: flag,
      seed: { type: "string", default: String(Date.now()) },
      only: { type: "string", multiple: true, default: [] },
      mutants: flag,
      docs: flag,
    },
  });
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0 && minutes <= 24 * 60)) {
    throw new Error(`--minutes must be a positive number, not '${String(values.minutes)}'.`);
  }
  if (values.docs && (values.short || values.only.length > 0)) {
    throw new Error("--docs is for whole runs: leave out --short and --only.");
  }
  return { ...values, minutes };
}
