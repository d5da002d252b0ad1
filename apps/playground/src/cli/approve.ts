import { escapeText } from "@fstools/protocol";
import { createInterface, type Interface } from "node:readline";
import type { Approvals } from "../agent/approvals.ts";
import type { ApprovalEvent } from "../agent/events.ts";

/** Lines that a person types, one at a time. */
export interface Lines {
  /** The next line; undefined where there is none to come. */
  next(): Promise<string | undefined>;
}

/** The lines of a terminal, or of what is piped in. */
export function linesOf(terminal: Interface): Lines {
  const lines = terminal[Symbol.asyncIterator]();
  return {
    next: async () => {
      const step: IteratorResult<string, unknown> = await lines.next();
      return step.done ? undefined : step.value;
    },
  };
}

/** Lines of standard input, which is opened when the first one is asked for. */
export function linesOnDemand(onInterrupt: () => void): Lines & { close(): void } {
  let terminal: Interface | undefined;
  let lines: Lines | undefined;
  return {
    next: () => {
      terminal ??= createInterface({ input: process.stdin }).on("SIGINT", onInterrupt);
      lines ??= linesOf(terminal);
      return lines.next();
    },
    close: () => terminal?.close(),
  };
}

/** Asks about a change; whatever is not a clear yes is a no. */
export async function askApproval(event: ApprovalEvent, approvals: Approvals, lines: Lines): Promise<void> {
  process.stderr.write(`Apply this change to '${escapeText(event.path)}'? [y/N] `);
  const answer = await lines.next();
  if (answer === undefined || !process.stdin.isTTY) process.stderr.write("\n");
  approvals.decide(event.id, /^\s*y(?:es)?\s*$/iu.test(answer ?? ""));
}
