import type { OnWarning, Tool } from "@fstools/protocol";
import { assertLimit, createFileVersions, defineFileTool, SandboxError, type ToolOptions } from "@fstools/sandbox";
import { GREP_DESCRIPTION } from "./description.ts";
import { grepOutcome, grepPathWords, type GrepData, type GrepStats } from "./format.ts";
import type { Findings } from "./search.ts";
import { grepAliases, grepParams, type GrepParams, type GrepInput } from "./params.ts";

/** What `createGrepTool` takes. */
export type GrepOptions = ToolOptions & {
  /** The ripgrep to run; `false` chooses the engine in JavaScript. @default the one of the optional package `@vscode/ripgrep` */
  readonly ripgrepPath?: string | false;
  /** How long a search may take. @default 5000 */
  readonly maxDurationMs?: number;
  /** How many characters of a line are shown. @default 300 */
  readonly maxLineChars?: number;
};

const grep = defineFileTool({
  name: "Grep",
  title: "Search in files",
  description: GREP_DESCRIPTION,
  params: grepParams,
  aliases: grepAliases,
  words: grepPathWords,
});

/** What a model or a host knows about Grep before it is called. */
export const grepDefinition = grep.definition;

/** Creates the Grep tool. @throws if `projectRoot` is not a directory, `workingDir` lies outside it, or a limit is not a number */
export function createGrepTool(options: GrepOptions): Tool<GrepParams, GrepData, GrepInput, GrepStats> {
  const { maxDurationMs = 5000, maxLineChars = 300, ripgrepPath, versions = createFileVersions() } = options;
  assertLimit("maxDurationMs", maxDurationMs);
  assertLimit("maxLineChars", maxLineChars, 1);
  return grep.create(options, (sandbox) => ({
    run: async (params, call) => {
      const start = await sandbox.resolve(params.path, { from: sandbox.root, orFrom: sandbox.cwd, call });
      const kind = sandbox.kind(start);
      if (kind === "other") throw new SandboxError({ reason: "not_regular", path: params.path });
      const isFile = kind === "file";
      // Loaded on use: it and the engines are larger than the rest of the package.
      const { searchFiles } = await import("./search.ts");
      const request = { sandbox, start, isFile, params, ripgrepPath, maxDurationMs, maxLineChars, signal: call.signal };
      const findings = await searchFiles(request);
      warnOnce(findings.fallback, options.onWarning);
      for (const { path, version } of findings.shown) versions.record(path, version, "matched");
      return grepOutcome({ findings, params, path: start.relative, isFile, maxDurationMs });
    },
  }));
}

const told = new Set<Findings["fallback"]>();

/** Whoever runs the tools can do something about it, and needs to hear of it once; a model can't. */
function warnOnce(fallback: Findings["fallback"], onWarning: OnWarning | undefined): void {
  if (fallback === undefined || onWarning === undefined || told.has(fallback)) return;
  told.add(fallback);
  const cause = fallback === "rg_not_found" ? "ripgrep was not found" : "ripgrep failed";
  onWarning(
    `${cause}, so Grep searches in JavaScript, which is slower. Install the optional package @vscode/ripgrep, or set ripgrepPath (false chooses JavaScript).`,
    { tool: grep.definition.name },
  );
}
