import { escapeText, type Discount } from "@fstools/protocol";
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
  /** @default 1 */
  readonly files?: number;
}

/** The discounts that all changes share: for a dry run, and for a diff that was cut. */
export function changeDiscounts(change: ToldChange): Discount[] {
  const { isDryRun, preview, given } = change;
  return [...(isDryRun ? [dryRun(given)] : []), ...(preview.isTruncated ? [cutDiff(change)] : [])];
}

/** Lines about how a file was written, and what came after it; `path` where there are several. */
export function changeNotes({ inPlace, notes = [] }: Partial<StepResult> = {}, path?: string): string[] {
  const what = path === undefined ? "Written" : `'${escapeText(path)}' was written`;
  return [...(inPlace === undefined ? [] : [`(${what} in place, since ${REASONS[inPlace]}.)`]), ...notes];
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

function cutDiff({ preview, isDryRun, reader, files = 1 }: ToldChange): Discount {
  const [what, them] = files === 1 ? ["file was", "it"] : ["files were", "them"];
  const shown = `The diff shows its first ${preview.lines} lines`;
  if (isDryRun) return { label: "Truncated", reason: `${shown}.`, next: "Make smaller changes to see them whole." };
  return {
    label: "Truncated",
    reason: `${shown}; the ${what} written completely.`,
    next: reader === undefined ? `Look at what was changed to see ${them}.` : `Use ${reader} to see ${them}.`,
  };
}
