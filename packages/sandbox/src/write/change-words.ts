import type { Discount } from "@fstools/protocol";
import type { DiffPreview } from "./diff.ts";
import type { StepResult } from "./change-set.ts";
import type { InPlaceReason } from "./step.ts";

// A longer call is not worth repeating as data: the caller has it already.
const MAX_NEXT_CALL_CHARS = 4096;

const REASONS: Readonly<Record<InPlaceReason, string>> = {
  "hard links": "it has other hard links",
  "another owner": "it belongs to another user or group",
  "a mount point": "it is a mount point",
};

/** A change to report. */
export interface ToldChange {
  readonly isDryRun: boolean;
  readonly preview: DiffPreview;
  /** The call's parameters. */
  readonly given: object;
  /** The tool that shows a file, if the model has it. */
  readonly reader: string | undefined;
}

/** The discounts that all changes share: for a dry run, and for a diff that was cut. */
export function changeDiscounts(change: ToldChange): Discount[] {
  const { isDryRun, preview, given } = change;
  return [...(isDryRun ? [dryRun(given)] : []), ...(preview.isTruncated ? [cutDiff(change)] : [])];
}

/** Lines about how a file was written, and what came after it. */
export function changeNotes({ inPlace, notes = [] }: Partial<StepResult> = {}): string[] {
  return [...(inPlace === undefined ? [] : [`(Written in place, since ${REASONS[inPlace]}.)`]), ...notes];
}

/** The discount of a dry run, which nothing else takes anything from. */
export function dryRun(given: object): Discount {
  const isShort = JSON.stringify(given).length <= MAX_NEXT_CALL_CHARS;
  return {
    label: "Dry Run",
    reason: "nothing was written.",
    next: "Repeat the call without dry_run to apply it.",
    ...(isShort ? { change: { dry_run: undefined } } : {}),
  };
}

function cutDiff({ preview, isDryRun, reader }: ToldChange): Discount {
  const shown = `The diff shows its first ${preview.lines} lines`;
  if (isDryRun) return { label: "Truncated", reason: `${shown}.`, next: "Make smaller changes to see them whole." };
  return {
    label: "Truncated",
    reason: `${shown}; the file was written completely.`,
    next: reader === undefined ? "Look at the file to see it." : `Use ${reader} to see it.`,
  };
}
