import { echo } from "@fstools/protocol";
import type { Pacer } from "@fstools/sandbox";
import { type EditRequest, findUnencodable, type TextEncoding, withPlainLineEnds } from "@fstools/text";
import { editError, type FailedEdit } from "./failures.ts";
import type { EditParams } from "./params.ts";

const ARE_IDENTICAL = "old_string and new_string are identical.";

/** The replacements that a call asks for, checked as far as that needs no file. @throws ToolError INVALID_PARAM */
export function editsOf(params: EditParams): readonly EditRequest[] {
  const { old_string, new_string = "", replace_all, edits, insert_line } = params;
  if (insert_line !== undefined) {
    checkCharacters({ new_string }, failedEdit(params));
    return [];
  }
  const given = edits ?? [{ old_string: old_string ?? "", new_string, replace_all }];
  return given.map((edit, index) => {
    const request = {
      oldText: edit.old_string,
      newText: edit.new_string,
      isForAll: edit.replace_all ?? replace_all,
    };
    checkEdit(request, failedEdit(params, index));
    return request;
  });
}

/** How an error names an edit: by its index if there are several. */
export function failedEdit({ path, edits }: EditParams, index?: number): FailedEdit {
  return { path, index: edits === undefined ? undefined : index };
}

function checkEdit({ oldText, newText }: EditRequest, failed: FailedEdit): void {
  if (oldText === "") throw editError(failed, "old_string cannot be empty.", "Pass the text that is to be replaced.");
  checkCharacters({ old_string: oldText, new_string: newText }, failed);
  if (oldText === newText) throw editError(failed, ARE_IDENTICAL, "Pass the text that is to be there instead.");
}

function checkCharacters(texts: Readonly<Record<string, string>>, failed: FailedEdit): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text.isWellFormed()) continue;
    throw editError(failed, `${name} has half of a surrogate pair, which is not a character.`, "Leave it out.");
  }
}

/**
 * Checks what can be said only when the file's encoding is known, or takes too long for one turn of the event loop.
 * @throws ToolError INVALID_PARAM
 */
export async function checkTexts(
  encoding: TextEncoding,
  params: EditParams,
  edits: readonly EditRequest[],
  pacer: Pacer,
): Promise<void> {
  for (const [index, { oldText, newText }] of edits.entries()) {
    const failed = failedEdit(params, index);
    await checkEncodable(encoding, newText, failed, pacer);
    if (!oldText.includes("\r") && !newText.includes("\r")) continue;
    if ((await withPlainLineEnds(oldText, pacer)) !== (await withPlainLineEnds(newText, pacer))) continue;
    throw editError(failed, ARE_IDENTICAL, "They differ in line ends only, which Edit keeps as the file has them.");
  }
}

/** @throws ToolError INVALID_PARAM if the encoding has no bytes for a character */
export async function checkEncodable(
  encoding: TextEncoding,
  newText: string,
  failed: FailedEdit,
  pacer: Pacer,
): Promise<void> {
  const strange = await findUnencodable(encoding, newText, pacer);
  if (strange === undefined) return;
  const message = `new_string has a character that ${echo(encoding.name)} cannot hold: '${echo(strange)}'.`;
  throw editError(failed, message, "Write it in another way.");
}
