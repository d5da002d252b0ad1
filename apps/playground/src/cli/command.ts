import leven from "leven";
import { parseArgs } from "node:util";

/** An option of a command, as the help shows it. */
export interface Option {
  readonly type: "string" | "boolean";
  /** The placeholder for its value. */
  readonly value?: string;
  readonly help: string;
  readonly multiple?: boolean;
}

/** What a command was called with. */
export interface Arguments {
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** @throws UsageError if it is not a whole number in the range. */
  integer(name: string, range: { readonly min: number; readonly max: number; readonly fallback: number }): number;
  /** @throws UsageError if it is not one of the choices. */
  choice<const Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice;
}

/** A command of the terminal program. */
export interface Command {
  readonly name: string;
  /** Positional arguments, as the usage line shows them. */
  readonly operands: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly string[];
  /** Resolves to the exit code. */
  run(args: Arguments): Promise<number>;
}

/** The caller's mistake; they only need to see its message. */
export class UsageError extends Error {}

/** Parses what comes after a command's name. */
export function parseArguments(command: Command, argv: readonly string[]): Arguments {
  const { positionals, values } = parse(command, argv);
  const text = (name: string) => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    positionals,
    text,
    flag: (name) => values[name] === true,
    texts: (name) => [values[name] ?? []].flat().map(String),
    integer: (name, { min, max, fallback }) => {
      const given = text(name);
      if (given === undefined) return fallback;
      const value = Number(given);
      if (/^\d+$/u.test(given) && value >= min && value <= max) return value;
      throw new UsageError(`--${name} must be a whole number between ${min} and ${max}, not '${given}'.`);
    },
    choice: (name, choices) => {
      const given = text(name) ?? choices[0];
      const chosen = choices.find((choice) => choice === given);
      if (chosen !== undefined) return chosen;
      throw new UsageError(`--${name} must be ${choices.join(" or ")}, not '${given}'.`);
    },
  };
}

function parse(command: Command, argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error);
    const known = Object.keys(options).map((name) => `--${name}`);
    const given = /'(--[^'=\s]*)/u.exec(message)?.[1] ?? "";
    if (known.includes(given)) throw new UsageError(message.replace(/\.?$/u, "."));
    const meant = nearest(given, known);
    const advice =
      meant === undefined ? `'${command.name}' takes ${known.join(", ")} and --help.` : `Did you mean '${meant}'?`;
    throw new UsageError(`${message}. ${advice}`);
  }
}

/** The known name that a misspelt one is likely to mean. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, distance: leven(given, name) }))
    .sort((first, second) => first.distance - second.distance);
  const [best] = ranked;
  return best && best.distance <= 2 ? best.name : undefined;
}

/** Usage, options and examples of a command. */
export function helpOf({ name, operands, options, examples }: Command): string {
  const rows = Object.entries(options).map(([option, { value, help }]) => {
    const left = value === undefined ? `--${option}` : `--${option} ${value}`;
    return `  ${left.padEnd(22)} ${help}`;
  });
  return [
    `Usage: pnpm playground ${[name, operands, "[options]"].filter((part) => part !== "").join(" ")}`,
    "",
    "Options:",
    ...rows,
    `  ${"--help".padEnd(22)} Show this.`,
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
  ].join("\n");
}
