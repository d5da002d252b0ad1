import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Answer, Contender } from "./row.ts";

/** What a contender's process is asked to do. */
export type Task = "sample" | "answer" | "tick";

/** What it says: the result, or why there is none. */
export type Reply = { readonly result: unknown } | { readonly failure: string };

/** A contender at work in a process of its own, which is idle until it is asked. */
export interface RemoteContender {
  readonly contender: Contender;
  readonly stop: () => void;
}

const script = fileURLToPath(new URL("./contender-process.js", import.meta.url));

/** Starts a process for one contender of a row, so that no one runs in the heap or with the compiled code of another. */
export function startRemote(contender: Contender, rowId: string, index: number): RemoteContender {
  // What a rival prints is not part of its answer.
  const child = fork(script, [rowId, String(index)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ask = (task: Task): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const onExit = () => {
        reject(new Error(`${contender.name}: the process ended.`));
      };
      child.once("exit", onExit);
      child.once("message", (reply: Reply) => {
        child.off("exit", onExit);
        if ("failure" in reply) reject(new Error(`${contender.name}: ${reply.failure}`));
        else resolve(reply.result);
      });
      child.send(task);
    });
  const measure = async (task: Task): Promise<number> => Number(await ask(task));
  return {
    contender: {
      ...contender,
      sample: () => measure("sample"),
      answer: contender.answer && (async () => (await ask("answer")) as Answer),
      tick: contender.tick && (() => measure("tick")),
    },
    stop: () => {
      child.kill();
    },
  };
}
