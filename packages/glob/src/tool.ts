import { defineTool, type Tool } from "@fstools/protocol";
import {
  createPosition,
  explainPathErrors,
  normalizePattern,
  parsePattern,
  remaindersAt,
  SandboxError,
  sandboxOf,
  walkFiles,
  type Position,
  type SafePath,
  type SearchRoot,
  type ToolOptions,
} from "@fstools/sandbox";
import { GLOB_DESCRIPTION } from "./description.ts";
import { globOutcome, type Findings, type GlobData } from "./format.ts";
import { patternHints } from "./hints.ts";
import { globAliases, globParams, type GlobParams } from "./params.ts";
import { globPathWords } from "./path-words.ts";

/** What `createGlobTool` takes. */
export type GlobOptions = ToolOptions & {
  /**
   * How many files and directories a search may look at.
   * @default 20000
   */
  readonly maxVisitedEntries?: number;
  /**
   * How long a search may take.
   * @default 2000
   */
  readonly maxDurationMs?: number;
};

/**
 * Creates the Glob tool, which finds files by name inside the project root.
 * @throws if `projectRoot` is not an existing directory, `workingDir` lies outside it, or a limit is not a number
 */
export function createGlobTool(options: GlobOptions): Tool<GlobParams, GlobData> {
  const { maxVisitedEntries = 20_000, maxDurationMs = 2000 } = options;
  assertLimit("maxVisitedEntries", maxVisitedEntries);
  assertLimit("maxDurationMs", maxDurationMs);
  const sandbox = sandboxOf(options);
  return defineTool({
    name: "Glob",
    description: GLOB_DESCRIPTION,
    input: globParams,
    aliases: globAliases,
    cwd: sandbox.cwd.relative,
    onInternalError: options.onInternalError,
    siblings: options.siblings,
    explain: explainPathErrors(globPathWords),
    async run(params, call) {
      const pattern = normalizePattern(params.pattern);
      call.note({ pattern_normalized: pattern });
      const alternatives = parsePattern(pattern, "pattern");
      const start = await sandbox.resolve(params.path);
      call.note({ path_resolved: start.relative });
      if (sandbox.kind(start) !== "directory") throw new SandboxError({ reason: "not_directory", path: params.path });
      const remainders = remaindersAt(searchRoot(start, params.path), alternatives);
      const findings = await search(start, createPosition(remainders), params, call.signal);
      if (findings.paths.length === 0) call.signal.throwIfAborted();
      const hints = patternHints(remainders, params, findings);
      const { limit } = params;
      return globOutcome({ findings, path: start.relative, pattern, limit, maxDurationMs, hints });
    },
  });

  function searchRoot({ absolute, relative }: SafePath, path: string): SearchRoot {
    return { relative, spellings: [absolute, path], rootSpellings: [sandbox.root.absolute, sandbox.projectRoot] };
  }

  async function search(
    start: SafePath,
    position: Position | undefined,
    params: GlobParams,
    signal: AbortSignal,
  ): Promise<Findings> {
    const paths: string[] = [];
    const report = await walkFiles(sandbox, start, {
      position,
      includeHidden: params.include_hidden,
      includeIgnored: params.include_ignored,
      maxVisitedEntries,
      maxDurationMs,
      signal,
      take: ({ path }) => paths.length < params.limit && paths.push(path) > 0,
    });
    return { ...report, paths };
  }
}

function assertLimit(name: string, value: number): void {
  if (value >= 0 && (Number.isInteger(value) || value === Infinity)) return;
  throw new RangeError(`${name} must be a whole number of at least 0 (or Infinity), but it is ${value}.`);
}
