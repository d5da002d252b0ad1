import { defineTool, type Tool } from "@fstools/protocol";
import { explainPathErrors, sandboxOf, type ToolOptions } from "@fstools/sandbox";
import { createChangeLog } from "./change-log.ts";
import { FileShrankError } from "@fstools/text";
import type { ReadData } from "./data.ts";
import { DESCRIPTION } from "./description.ts";
import { readOutcome } from "./format.ts";
import { checkLimits, type ReadLimits } from "./limits.ts";
import { readAliases, type ReadInput, readParams } from "./params.ts";
import { fileChanged } from "@fstools/text";
import { createTextReader } from "@fstools/text";

/** What a host may set. */
export type ReadToolOptions = ToolOptions & ReadLimits;

const explainPath = explainPathErrors({
  missing: (path) => `File '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  isDirectory: (path) => `Path '${path}' is a directory. Use LS to explore it.`,
});

/**
 * Makes the Read tool for one project.
 * @throws Error if `projectRoot` is not a directory, `workingDir` is not inside it, or a limit or encoding is unusable.
 */
export function createReadTool(options: ReadToolOptions): Tool<ReadInput, ReadData> {
  const sandbox = sandboxOf(options);
  const { fallbackEncodings, ...pageLimits } = checkLimits(options);
  const reader = createTextReader();
  const changes = createChangeLog();
  return defineTool({
    name: "Read",
    description: DESCRIPTION,
    input: readParams,
    aliases: readAliases,
    cwd: sandbox.cwd.relative,
    onInternalError: options.onInternalError,
    explain: (error, input) => {
      return error instanceof FileShrankError ? fileChanged(input.path) : explainPath(error, input);
    },
    run: async ({ path, start_line, start_column, limit, encoding }, call) => {
      const resolved = await sandbox.resolve(path, { from: sandbox.root, orFrom: sandbox.cwd });
      call.note({ path_resolved: resolved.relative });
      const file = sandbox.open(resolved);
      try {
        const start = { line: start_line, column: start_column };
        const question = { path, encoding, fallbackEncodings };
        const reading = await reader.read(file, question, { start, limit, ...pageLimits }, call.signal);
        return readOutcome({
          ...reading,
          path: resolved.relative,
          start,
          sizeBytes: file.size,
          mtimeMs: file.mtimeMs,
          isModified: changes.record(resolved.relative, file),
        });
      } finally {
        file.close();
      }
    },
  });
}
