import type { AgentTools } from "../agent-tool.ts";
import { createFile, directoryText, insertText, replaceText, view, withNotes } from "./commands.ts";
import type { CallTool, Commands, NamedFile, TrainedCalls } from "./trained-tool.ts";
import { createTrainedTool, namedFile, Refusal, refusal } from "./trained-tool.ts";

/** Where the memory is. */
export interface MemoryOptions {
  /** A directory of the project, which the model sees as `/memories`; it need not be there yet. */
  readonly directory: string;
}

/** Anthropic's memory tool, for `messages.create`, `toolRunner` and `handleToolUses` as it is. */
export interface MemoryTool extends TrainedCalls {
  readonly type: "memory_20250818";
  readonly name: "memory";
}

const line = (number: number, text: string) => `${String(number).padStart(6)}\t${text}`;

/** Makes Anthropic's memory tool, which reaches nothing outside its directory. @throws TypeError if a tool is missing, or that path is unusable */
export function createMemory(toolset: AgentTools, { directory }: MemoryOptions): MemoryTool {
  const segments = segmentsOf(directory);
  if (segments.length === 0 || segments.includes("..") || directory.startsWith("/")) {
    throw new TypeError("directory must be a path below the project root.");
  }
  const needs = ["LS", "Read", "Edit", "Write", "Move", "Delete"];
  const commands = memoryCommands(segments.join("/"));
  return createTrainedTool({ type: "memory_20250818", name: "memory" } as const, { toolset, needs, commands });
}

function memoryCommands(home: string): Commands {
  return {
    view: async ({ path, view_range: range }, call) => {
      const file = await below(home, path, call);
      // Nothing was remembered yet.
      if (file.path === home && (await resolved(call, home)) === undefined) return directoryText(file.shown, []);
      return view(call, { ...file, range, line, heading, missing: `${missing(file)}. Please provide a valid path.` });
    },
    create: async ({ path, file_text: content }, call) => {
      const file = await below(home, path, call);
      const tried = await call("Write", { path: file.path, content, dry_run: true });
      const isNew = "operation" in tried.data && tried.data.operation === "create";
      if (tried.status === "error" ? ["CONFLICT", "IS_DIRECTORY"].includes(tried.error.code) : !isNew) {
        throw new Refusal(`Error: File ${file.shown} already exists`);
      }
      // Of a link to a file that is not there.
      await assertInside(home, tried.context.path_resolved, call);
      return createFile(call, file, content);
    },
    str_replace: async ({ path, ...texts }, call) => {
      const file = await below(home, path, call);
      const nothing = "No replacement was performed";
      return replaceText(call, file, texts, {
        done: (snippet) =>
          `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`,
        noMatch: (text) => `${nothing}, old_str \`${text}\` did not appear verbatim in ${file.shown}.`,
        manyMatches: (text, _count, lines) =>
          `${nothing}. Multiple occurrences of old_str \`${text}\` in lines: ${lines}. Please ensure it is unique`,
        missing: `Error: ${missing(file)}. Please provide a valid path.`,
        line,
      });
    },
    insert: async ({ path, ...insertion }, call) => {
      const file = await below(home, path, call);
      return insertText(call, file, insertion, `Error: ${missing(file)}`);
    },
    delete: async ({ path }, call) => {
      const entry = await below(home, path, call);
      if (entry.path === home) throw new Refusal("Error: Cannot delete the /memories directory itself");
      const response = await call("Delete", { path: entry.path, recursive: true });
      if (response.status === "error") throw refusal(response, entry, `Error: ${missing(entry)}`);
      return withNotes(`Successfully deleted ${entry.shown}`, response);
    },
    rename: async ({ old_path: from, new_path: to }, call) => {
      const [old, moved] = [await below(home, from, call), await below(home, to, call)];
      if (old.path === home) throw new Refusal("Error: Cannot rename the /memories directory itself");
      const response = await call("Move", { from: old.path, to: moved.path });
      if (response.status !== "error") {
        return withNotes(`Successfully renamed ${old.shown} to ${moved.shown}`, response);
      }
      if (!response.error.message.endsWith("exists already.")) throw refusal(response, old, `Error: ${missing(old)}`);
      throw new Refusal(`Error: The destination ${moved.shown} already exists`);
    },
  };
}

function missing({ shown }: NamedFile): string {
  return `The path ${shown} does not exist`;
}

/** @throws Refusal if there are more lines than the numbers have room for */
function heading(shown: string, lines = 0): string {
  if (lines > 999_999) throw new Refusal(`File ${shown} exceeds maximum line limit of 999,999 lines.`);
  return `Here's the content of ${shown} with line numbers:`;
}

/** @throws Refusal if it is not at or below /memories, or a link on the way leads elsewhere */
async function below(home: string, given: unknown, call: CallTool): Promise<NamedFile> {
  const { shown, path } = namedFile(given);
  const [root, ...segments] = segmentsOf(path);
  if (root !== "memories" || !path.startsWith("/")) {
    throw new Refusal(`Error: Path must start with /memories, got: ${shown}`);
  }
  if (segments.includes("..")) throw new Refusal(`Error: Path ${shown} would escape /memories directory`);
  for (let depth = segments.length; depth > 0; depth -= 1) {
    const there = await resolved(call, [home, ...segments.slice(0, depth)].join("/"));
    await assertInside(home, there, call);
    if (there !== undefined) break;
  }
  return { shown, path: [home, ...segments].join("/") };
}

async function assertInside(home: string, path: string | undefined, call: CallTool): Promise<void> {
  if (path === undefined) return;
  const root = (await resolved(call, home)) ?? home;
  if (!`${path}/`.startsWith(`${root}/`)) throw new Refusal("Error: Path would escape /memories directory via symlink");
}

/** Where a path really is; undefined if nothing is there. */
async function resolved(call: CallTool, path: string): Promise<string | undefined> {
  return (await call("LS", { path, limit: 1 })).context.path_resolved;
}

function segmentsOf(path: string): string[] {
  return path.split(/[\\/]/u).filter((segment) => segment !== "" && segment !== ".");
}
