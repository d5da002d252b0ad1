import { startHost } from "../rivals/start-host.ts";
import { anthropic } from "./drivers/anthropic.ts";
import { bashTool } from "./drivers/bash-tool.ts";
import { cloudflare } from "./drivers/cloudflare.ts";
import { deepagents } from "./drivers/deepagents.ts";
import type { Dialect } from "./drivers/dialect.ts";
import { fstools } from "./drivers/fstools.ts";
import { gemini } from "./drivers/gemini.ts";
import { mastra } from "./drivers/mastra.ts";
import { mcp } from "./drivers/mcp.ts";
import { opencode } from "./drivers/opencode.ts";
import { pi } from "./drivers/pi.ts";
import { CHANGED_LAST, DESK, LIBRARY, libraryFiles, PROJECT, shopFiles, writeFiles, type Files } from "./fixtures.ts";
import { REQUESTS, requestFiles, shownParts } from "./requests.ts";
import type { RequestResult, ToolsetResult } from "./score.ts";
import { runTask, type Outcome } from "./run-task.ts";
import { TASKS } from "./tasks.ts";
import { countTokens } from "./tokens.ts";

const DIALECTS: Readonly<Record<string, (root: string, isOneRoot: boolean) => Dialect>> = {
  fstools,
  "fstools-bare": fstools,
  mcp,
  anthropic,
  cloudflare,
  gemini,
  deepagents,
  pi,
  mastra,
  "bash-tool": bashTool,
  opencode,
};

interface Shown {
  readonly request: string;
  readonly tokens: number;
  readonly parts: readonly boolean[];
}

export type Measured = Pick<ToolsetResult, "tools" | "definitionTokens" | "outcomes"> & { readonly shown: Shown[] };

export function prepare(): (id: string) => Promise<Measured> {
  const [desk, shop] = [requestFiles(), shopFiles()];
  writeFiles(DESK, desk);
  writeFiles(PROJECT, shop, { newest: CHANGED_LAST });
  return async (id) => ({ ...(await measureRequests(id, desk)), outcomes: await measureTasks(id, shop) });
}

async function measureRequests(id: string, files: Files): Promise<Omit<Measured, "outcomes">> {
  writeFiles(DESK, files, { below: "edit/" });
  const host = await startHost(id, DESK);
  const dialect = dialectOf(id, DESK);
  const shown: Shown[] = [];
  for (const request of REQUESTS) {
    const { text } = await host.call(...request.call(dialect));
    shown.push({ request: request.id, tokens: countTokens(text), parts: shownParts(request, text) });
  }
  host.close();
  const tools = host.definitions.map(({ name }) => name);
  return { tools, definitionTokens: countTokens(JSON.stringify(host.definitions)), shown };
}

async function measureTasks(id: string, files: Files): Promise<Outcome[]> {
  writeFiles(PROJECT, files, { below: "edits/" });
  writeFiles(LIBRARY, libraryFiles());
  const outcomes: Outcome[] = [];
  for (const hasLibrary of [false, true]) {
    const host = await startHost(id, PROJECT, hasLibrary ? LIBRARY : undefined);
    const dialect = dialectOf(id, PROJECT, !hasLibrary);
    for (const task of TASKS.filter(({ library = false }) => library === hasLibrary))
      outcomes.push(await runTask(task, dialect, host.call, { root: PROJECT, files }));
    host.close();
  }
  return outcomes;
}

function dialectOf(id: string, root: string, isOneRoot = true) {
  const dialect = DIALECTS[id];
  if (dialect === undefined) throw new Error(`There is no driver for '${id}'.`);
  return dialect(root, isOneRoot);
}

export function compared(shown: Shown, ours: Shown | undefined): RequestResult {
  const showsOurs = ours?.parts.every((isShown, index) => !isShown || shown.parts[index] === true) ?? true;
  return { request: shown.request, tokens: shown.tokens, shown: shown.parts.filter(Boolean).length, showsOurs };
}
