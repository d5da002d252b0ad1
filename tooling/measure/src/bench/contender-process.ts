/** A process of its own per contender: does the work when it is asked to. */
import { findRow } from "./rows/index.ts";
import type { Reply, Task } from "./remote-contender.ts";

const [id = "", index = ""] = process.argv.slice(2);
const ready = Promise.resolve(findRow(id).contenders()).then((contenders) => contenders[Number(index)]);

process.on("message", (task: Task) => {
  void carryOut(task).then((reply) => process.send?.(reply));
});

async function carryOut(task: Task): Promise<Reply> {
  try {
    return { result: await (await ready)?.[task]?.() };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
