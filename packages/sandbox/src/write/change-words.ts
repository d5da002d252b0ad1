import type { Discount, ToolCall } from "@fstools/protocol";
import type { DiffPreview } from "./diff.ts";
import type { InPlaceReason, PutResult } from "./put-file.ts";

// A longer call is not worth repeating as data: the caller has it.
const MAX_NEXT_CALL_CHARS = 4096;

const REASONS: Readonly<Record<InPlaceReason, string>> = {
  "hard links": "it has other hard links",
  "another owner": "it belongs to another user or group",
  "a mount point": "it is a mount point",
};

/** The discounts that all changes share: of a dry run, and of a diff that was cut. */
export function changeDiscounts(
  { isDryRun, preview, given }: { readonly isDryRun: boolean; readonly preview: DiffPreview; readonly given: object },
  call: Pick<ToolCall, "has">,
): Discount[] {
  return [...(isDryRun ? [dryRun(given)] : []), ...(preview.isTruncated ? [cutDiff(preview, isDryRun, call)] : [])];
}

/** Lines about how a file was written. */
export function changeNotes(written: PutResult | undefined): string[] {
  return written?.inPlace === undefined ? [] : [`(Written in place, since ${REASONS[written.inPlace]}.)`];
}

function dryRun(given: object): Discount {
  const isShort = JSON.stringify(given).length <= MAX_NEXT_CALL_CHARS;
  return {
    label: "Dry Run",
    reason: "nothing was written.",
    next: "Repeat the call without dry_run to apply it.",
    ...(isShort ? { change: { dry_run: undefined } } : {}),
  };
}

function cutDiff({ lines }: DiffPreview, isDryRun: boolean, call: Pick<ToolCall, "has">): Discount {
  const shown = `The diff shows its first ${lines} lines`;
  if (isDryRun) return { label: "Truncated", reason: `${shown}.`, next: "Make smaller changes to see them whole." };
  return {
    label: "Truncated",
    reason: `${shown}; the file was written completely.`,
    next: call.has("Read") ? "Use Read to see it." : "Look at the file to see it.",
  };
}
