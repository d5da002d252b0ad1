import type { Tool } from "@fstools/protocol";
import {
  assertLimit,
  createPosition,
  defineFileTool,
  normalizePattern,
  parsePattern,
  remaindersAt,
  walkFiles,
  type ToolOptions,
} from "@fstools/sandbox";
import { GLOB_DESCRIPTION } from "./description.ts";
import { globOutcome, globPathWords, type GlobData, type GlobStats } from "./format.ts";
import { globAliases, globNotParameters, globParams, type GlobInput, type GlobParams } from "./params.ts";

const glob = defineFileTool({
  name: "Glob",
  title: "Find files",
  description: GLOB_DESCRIPTION,
  params: globParams,
  aliases: globAliases,
  notParameters: globNotParameters,
  words: globPathWords,
});

/** Glob as a model sees it, without a project. */
export const globDefinition = glob.definition;

/** What `createGlobTool` takes. */
export type GlobOptions = ToolOptions & {
  /** How many files and directories a search may look at. @default 20000 */
  readonly maxVisitedEntries?: number;
  /** How long a search may take. @default 2000 */
  readonly maxDurationMs?: number;
};

/**
 * Creates the Glob tool, which finds files by name inside the project root.
 * @throws if `projectRoot` is not an existing directory, `workingDir` lies outside it, or a limit is not a number
 */
export function createGlobTool(options: GlobOptions): Tool<GlobParams, GlobData, GlobInput, GlobStats> {
  const { maxVisitedEntries = 20_000, maxDurationMs = 2000 } = options;
  assertLimit("maxVisitedEntries", maxVisitedEntries);
  assertLimit("maxDurationMs", maxDurationMs);
  return glob.create(options, (sandbox) => ({
    run: async (params, call) => {
      const pattern = normalizePattern(params.pattern);
      call.note({ pattern_normalized: pattern });
      const alternatives = parsePattern(pattern, "pattern");
      const directory = await sandbox.resolveDirectory(params.path, { call });
      directory.close();
      const { path: start } = directory;
      const { relative, absolute } = start;
      const { roots } = sandbox;
      const remainders = remaindersAt({ relative, spellings: [absolute, params.path], roots }, alternatives);

      const paths: string[] = [];
      let matchesBefore = 0;
      const report = await walkFiles(sandbox, start, {
        position: createPosition(remainders),
        includeHidden: params.include_hidden,
        includeIgnored: params.include_ignored,
        maxVisitedEntries,
        maxDurationMs,
        signal: call.signal,
        take({ path }) {
          if (matchesBefore < params.offset) return (matchesBefore += 1) > 0;
          return paths.length < params.limit && paths.push(path) > 0;
        },
      });
      if (paths.length === 0) call.signal.throwIfAborted();
      const findings = { ...report, paths, matchesBefore };
      const isList = roots.length > 1 && relative === sandbox.root.relative;
      return globOutcome({ findings, path: relative, isList, pattern, remainders, params, maxDurationMs });
    },
  }));
}
