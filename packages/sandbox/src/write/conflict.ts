import { echo, ErrorCode, ToolError, type ToolCall } from "@fstools/protocol";
import { knownAs } from "../shared/path-words.ts";

/** The error for a change of a file that is not in the state that the caller knows; the next call is to read it. */
export function conflict(
  { path, reader }: { readonly path: string; readonly reader: string },
  call: Pick<ToolCall, "has">,
  why: "modified" | "unread",
): ToolError {
  const shown = `'${echo(path)}'`;
  const message =
    why === "modified" ? `${shown} has been modified since it was read.` : `${shown} exists and was not read.`;
  const known = knownAs(reader, call);
  const params = known === "read" ? { filePath: path } : { path };
  const nextCall = known === undefined ? undefined : { tool: known, params };
  const look = known === undefined ? "Look at the file as it is now" : `Run ${known} on ${shown}`;
  return new ToolError(ErrorCode.CONFLICT, message, {
    hint: `Nothing was written. ${look}, then repeat the change on what is there.`,
    nextCall,
  });
}
