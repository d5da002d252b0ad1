import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface Options {
  /** Small fixtures, few samples: under two minutes. */
  readonly quick: boolean;
  /** Remove the generated trees and files, and do nothing else. */
  readonly clean: boolean;
  /** Also write the results into docs/. */
  readonly docs: boolean;
  /** Measure everything this many times in a row. */
  readonly runs: number;
  /** Only rows whose id contains one of these. */
  readonly only: readonly string[];
}

export const USAGE = `pnpm bench [--quick] [--runs N] [--only ID] [--docs]
pnpm bench --clean

  --quick   small fixtures and few samples, under two minutes
  --runs N  measure everything N times in a row; a target holds if it holds in each run
  --only ID only rows whose id contains ID; may be given more than once
  --docs    also write the tables and charts into docs/
  --clean   remove the generated trees and files from the temporary directory`;

/** @throws if an argument is unknown or out of range */
export function parseOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: argv.filter((argument) => argument !== "--"),
    options: {
      quick: { type: "boolean", default: false },
      clean: { type: "boolean", default: false },
      docs: { type: "boolean", default: false },
      runs: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs must be a positive integer, not '${values.runs}'.`);
  return { ...values, runs };
}
