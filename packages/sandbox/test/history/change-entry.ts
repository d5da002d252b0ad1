import type { Sandbox } from "../../src/sandbox.ts";
import { createEntryChanger, type EntryRequest } from "../../src/write/entry-changer.ts";
import type { ChangeOptions } from "../../src/write/placer.ts";

const call = { signal: new AbortController().signal, has: () => true, note: () => undefined, tell: () => undefined };

/** Moves, copies or deletes an entry of a project. */
export async function changeEntry(
  sandbox: Sandbox,
  request: Pick<EntryRequest, "operation" | "path" | "to">,
  options: ChangeOptions,
) {
  return createEntryChanger(sandbox, { durable: false, ...options })(
    { ...request, tool: request.operation, isDryRun: false },
    call,
  );
}
