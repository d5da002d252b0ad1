import type { Kit } from "./drivers/driver.ts";
import { CHANGED_LAST, PROJECT, writeFiles, type Files } from "./fixtures.ts";
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
  kit: Kit,
  files: Files,
): Promise<{ tools: string[]; definitionTokens: number; shown: Shown[] }> {
  writeFiles(PROJECT, files, { below: "edit/" });
  const host = await startHost(id, PROJECT);
  const first = kit.first(PROJECT);
  const shown: Shown[] = [];
  for (const request of REQUESTS) {
    const { text } = await host.call(...request.call(first));
    shown.push({ request: request.id, tokens: countTokens(text), parts: shownParts(request, text) });
  }
  host.close();
  const tools = host.definitions.map(({ name }) => name);
  return { tools, definitionTokens: countTokens(JSON.stringify(host.definitions)), shown };
}

/** Lets a set of tools do every task. The project's files must be there. */
export async function measureTasks(id: string, kit: Kit, files: Files): Promise<Outcome[]> {
  writeFiles(PROJECT, files, { below: "edits/" });
  const host = await startHost(id, PROJECT);
  const outcomes: Outcome[] = [];
  for (const task of TASKS) outcomes.push(await runTask(task, kit, host.call, { root: PROJECT, files }));
  host.close();
  return outcomes;
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
