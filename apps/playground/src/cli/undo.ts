import type { HistoryChange } from "@fstools/sandbox";
import type { Project } from "../project.ts";
import { printable } from "../printable.ts";
import { projectFrom, type Settings } from "./setup.ts";
import { paint } from "./style.ts";

/** Undoes a change. */
export async function undo([id]: readonly string[], settings: Settings): Promise<number> {
  const project = projectFrom({ ...settings, write: true });
  if (settings.list !== true) return undoIn(project, id);
  for (const { id: one, at, tool, files } of (await project.history?.changes()) ?? [])
    console.log(`${one}  ${paint("dim", at)}  ${tool}  ${printable(files.map(({ path }) => path).join(", "))}`);
  return 0;
}

/** Puts back what was there before a change, or before the last one that stands; says what became of it. */
export async function undoIn({ history }: Project, id?: string): Promise<number> {
  const change = id ?? lastOf((await history?.changes()) ?? []);
  if (!history || change === undefined) {
    console.error("There is nothing to undo.");
    return 2;
  }
  const { text, error } = await history.undo(change);
  console.log(printable(text));
  return error ? 1 : 0;
}

/** The newest change that stands; an undo is a change as well, and stands for an older one that does not. */
function lastOf(changes: readonly HistoryChange[]): string | undefined {
  let undone = 0;
  for (const { id, tool } of changes) {
    if (tool === "Undo") undone++;
    else if (undone === 0) return id;
    else undone--;
  }
  return undefined;
}
