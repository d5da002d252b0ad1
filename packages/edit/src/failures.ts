import { echo, ErrorCode, ToolError, type ToolCall } from "@fstools/protocol";
import { conflict, knownAs, lineNumbers, MAX_LISTED_PLACES } from "@fstools/sandbox";
import { type ClosestLines, closestInWords, MAX_REPLACEMENTS, readCall } from "@fstools/text";

/** One of several edits that failed. */
export interface FailedEdit {
  readonly path: string;
  /** Its place in `edits`; undefined if there is only one. */
  readonly index: number | undefined;
}

/** An error about one edit, which names it if there are several. */
export function editError(
  { index }: FailedEdit,
  message: string,
  hint: string,
  body: readonly string[] = [],
): ToolError {
  const whole = index === undefined ? message : `Edit at index ${index}: ${message}`;
  const text = [`${whole} ${hint}`, ...(body.length === 0 ? [] : ["", ...body])].join("\n");
  return new ToolError(ErrorCode.INVALID_PARAM, whole, {
    hint,
    report: { ...(index === undefined ? {} : { data: { failed_index: index } }), text: () => text },
  });
}

/** The text is nowhere; says what comes closest, or that the change is there already. */
export function notFound(
  edit: FailedEdit,
  { closest, doneAtLine }: { readonly closest?: ClosestLines | undefined; readonly doneAtLine?: number },
  call: Pick<ToolCall, "has">,
): ToolError {
  const message = `old_string not found in '${echo(edit.path)}'.`;
  if (doneAtLine !== undefined) return editError(edit, message, `new_string is already there, at line ${doneAtLine}.`);
  if (closest !== undefined) {
    const { sentence, shown } = closestInWords(closest);
    return editError(edit, message, sentence, shown);
  }
  const reader = knownAs("Read", call);
  if (reader === undefined) return editError(edit, message, "Copy the text from the file.");
  return editError(edit, message, `Run ${reader} on '${echo(edit.path)}' and copy the text from it.`);
}

/** The text is in several places. */
export function notUnique(edit: FailedEdit, lines: readonly number[], isMoreThanListed: boolean): ToolError {
  const ranges = lines.map((line) => ({ first: line, last: line }));
  const places = lineNumbers(ranges, isMoreThanListed);
  const count = isMoreThanListed ? `more than ${MAX_LISTED_PLACES}` : lines.length;
  return editError(
    edit,
    `old_string must be unique, but it occurs ${count} times in '${echo(edit.path)}' (lines ${places}).`,
    "Add a line around it, or pass replace_all=true.",
  );
}

/** The text is in more places than one call can replace. */
export function tooMany(edit: FailedEdit): ToolError {
  return editError(
    edit,
    `old_string occurs more than ${MAX_REPLACEMENTS} times in '${echo(edit.path)}', which is too many to replace at once.`,
    "Replace longer strings, or change the file with another program.",
  );
}

/** The file changed since the caller saw it; shows the lines that the call is about as they are now. */
export function changed(path: string, now: ClosestLines | undefined, call: ToolCall): ToolError {
  const error = conflict(path, call, "modified");
  if (now === undefined || now.lines.length === 0) return error;
  const { message, hint } = error;
  const { sentence, shown } = closestInWords(now);
  const text = [`${message} ${hint} ${sentence}`, "", ...shown].join("\n");
  return new ToolError(error.code, message, {
    hint,
    report: { text: () => text },
    nextCall: readCall(path, now, call),
  });
}

/** Two edits change the same text; the later one is reported as failed. */
export function overlapping(one: number, other: number): ToolError {
  const [first, second] = one < other ? [one, other] : [other, one];
  return new ToolError(ErrorCode.INVALID_PARAM, `Edits ${first} and ${second} are overlapping.`, {
    hint: "Nothing was written. Make one edit of the two.",
    report: { data: { failed_index: second } },
  });
}
