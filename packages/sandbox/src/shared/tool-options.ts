import type { OnInternalError, OnWarning } from "@fstools/protocol";
import type { FileVersions } from "../versions.ts";
import { boundaryOf, createSandbox, type Sandbox, type SandboxOptions } from "../sandbox.ts";

/** What every tool's factory takes: the options of a sandbox or an existing one, and what the tool should know. */
export type ToolOptions = (SandboxOptions | { readonly sandbox: Sandbox }) & {
  /** Receives exceptions that became INTERNAL_ERROR. */
  readonly onInternalError?: OnInternalError;
  /** Is told once what a tool lacks on this machine, such as ripgrep. */
  readonly onWarning?: OnWarning;
  /** The names of the tools that the model has; hints name only these. @default all standard names */
  readonly siblings?: readonly string[];
  /** What the tools of one conversation last showed or wrote of each file. @default the tool's own memory */
  readonly versions?: FileVersions;
};

/** @throws RangeError if a limit of the host is not a whole number of at least `least`, or Infinity */
export function assertLimit(name: string, value: number, least = 0): void {
  if (value >= least && (Number.isInteger(value) || value === Infinity)) return;
  throw new RangeError(`${name} must be a whole number of at least ${least} (or Infinity), but it is ${value}.`);
}

/** The sandbox of a tool: the one it was given, else one made from the options. @throws Error as createSandbox does */
export function sandboxOf(options: ToolOptions): Sandbox {
  if (!("sandbox" in options)) return createSandbox(options);
  boundaryOf(options.sandbox);
  return options.sandbox;
}
