import { echo, ToolError } from "@fstools/protocol";

/** The file has a NUL in its first bytes; `head` may tell an encoding by its byte order mark. */
export function binaryFile(path: string, head: Uint8Array): ToolError {
  const encoding = markedEncoding(head);
  const hint =
    encoding === undefined
      ? "Read shows text only. If you know that this is text in another encoding, pass it, for example encoding=utf-16le."
      : `It begins with the byte order mark of ${encoding}: pass encoding=${encoding} to read it as text.`;
  return new ToolError("BINARY_FILE", `File '${echo(path)}' appears to be binary.`, { hint });
}

/** `startLine` lies behind the last line. */
export function lineOutOfRange(startLine: number, totalLines: number, limit: number): ToolError {
  if (totalLines === 0) {
    return new ToolError("INVALID_PARAM", "start_line exceeds file length (file is empty). Valid start_line is 1.", {
      hint: "There is nothing to read in this file.",
    });
  }
  const lastPage = Math.max(1, totalLines - limit + 1);
  return new ToolError(
    "INVALID_PARAM",
    `start_line (${startLine}) exceeds file length (${totalLines} lines). Valid range: 1 to ${totalLines}.`,
    { hint: `Use start_line=${lastPage} to read the end of the file.` },
  );
}

/** `startColumn` lies behind the end of the line. */
export function columnOutOfRange(startColumn: number, line: number, lineLength: number): ToolError {
  return new ToolError(
    "INVALID_PARAM",
    `start_column (${startColumn}) exceeds line length (${lineLength} characters).`,
    { hint: `Use start_line=${line} without start_column to read the line from its beginning.` },
  );
}

/** The file became shorter, or its lines others, while it was being read. */
export function fileChanged(path: string): ToolError {
  return new ToolError("EXECUTION_ERROR", `File '${echo(path)}' changed while it was being read.`, {
    hint: "Call Read again to read its new content.",
  });
}

/** The bytes of a file give no place where decoding can pause. */
export function endlessRun(encoding: string): ToolError {
  return new ToolError("EXECUTION_ERROR", `The file has a run without blanks that is too long for ${encoding}.`, {
    hint: "Check the encoding, or read the file without it.",
  });
}

function markedEncoding(head: Uint8Array): string | undefined {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "utf-32le" : "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return "utf-32be";
  return undefined;
}
