import { escapeText } from "@fstools/protocol";
import { createHistory, type HistoryChange } from "@fstools/sandbox";
import type { HistoryCommand } from "./arguments.ts";
import { sandboxOf } from "./service.ts";

const LETTERS = { create: "A", update: "M", delete: "D", move: "R" } as const;

/** Lists the changes of a project's history, or undoes some. @throws Error if the history or a root cannot be used */
export async function runHistory(command: HistoryCommand) {
  const history = createHistory({ directory: command.history });
  await history.take(sandboxOf(command)).ready();
  if (command.undo !== undefined) {
    const { text, status } = await history.undo(command.undo);
    return { text, isError: status === "error" };
  }
  const { path, limit } = command;
  const changes = await history.changes({ ...(path === undefined ? {} : { path }), ...(limit && { limit }) });
  const lines = [...history.unfinished.map((change) => `Unfinished: ${shown(change)}`), ...changes.map(shown)];
  return { text: lines.length === 0 ? "No changes." : lines.join("\n\n"), isError: false };
}

function shown({ id, at, tool, files }: HistoryChange): string {
  const names = files.map(({ path, operation, from }) => {
    return `  ${LETTERS[operation]} ${from === undefined ? "" : `${escapeText(from)} -> `}${escapeText(path)}`;
  });
  return [`${id}  ${at.slice(0, 19).replace("T", " ")}  ${tool}`, ...names].join("\n");
}
