import { DIALECTS } from "./drivers/index.ts";
import { CHANGED_LAST, LIBRARY, libraryFiles, PROJECT, writeFiles, type Files } from "./fixtures.ts";
import { startHost } from "../rivals/start-host.ts";
import { REQUESTS, shownParts } from "./requests.ts";
import type { RequestResult } from "./results.ts";
import { runTask, type Outcome } from "./run-task.ts";
import { TASKS } from "./tasks.ts";
import { countTokens } from "./tokens.ts";

/** A request's answer, before it is compared with ours. */
export interface Shown {
  readonly request: string;
  readonly tokens: number;
  readonly parts: readonly boolean[];
}

/** Makes every request of a set of tools, and counts its definitions. The project's files must be there. */
export async function measureRequests(
  id: string,
  files: Files,
): Promise<{ tools: string[]; definitionTokens: number; shown: Shown[] }> {
  writeFiles(PROJECT, files, { below: "edit/" });
  const host = await startHost(id, PROJECT);
  const shown: Shown[] = [];
  for (const request of REQUESTS) {
    const { text } = await host.call(...request.call(dialectOf(id)));
    shown.push({ request: request.id, tokens: countTokens(text), parts: shownParts(request, text) });
  }
  host.close();
  const tools = host.definitions.map(({ name }) => name);
  return { tools, definitionTokens: countTokens(JSON.stringify(host.definitions)), shown };
}

/** Lets a set of tools do every task: those of one directory, then those of two. The project's files must be there. */
export async function measureTasks(id: string, files: Files): Promise<Outcome[]> {
  writeFiles(PROJECT, files, { below: "edits/" });
  const outcomes: Outcome[] = [];
  for (const hasLibrary of [false, true]) {
    const tasks = TASKS.filter(({ library = false }) => library === hasLibrary);
    if (hasLibrary) writeFiles(LIBRARY, libraryFiles());
    const host = await startHost(id, PROJECT, hasLibrary ? LIBRARY : undefined);
    const dialect = dialectOf(id, !hasLibrary);
    for (const task of tasks) outcomes.push(await runTask(task, dialect, host.call, { root: PROJECT, files }));
    host.close();
  }
  return outcomes;
}

function dialectOf(id: string, isOneRoot = true) {
  const dialect = DIALECTS[id];
  if (dialect === undefined) throw new Error(`There is no driver for '${id}'.`);
  return dialect(PROJECT, isOneRoot);
}

/** Writes the project of the tasks. */
export function writeShop(files: Files): void {
  writeFiles(PROJECT, files, { newest: CHANGED_LAST });
}

/** An answer compared with ours: whether it shows at least the same. */
export function compared(shown: Shown, ours: Shown | undefined): RequestResult {
  const showsOurs = ours?.parts.every((isShown, index) => !isShown || shown.parts[index] === true) ?? true;
  return { request: shown.request, tokens: shown.tokens, shown: shown.parts.filter(Boolean).length, showsOurs };
}
