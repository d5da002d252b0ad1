import { fileURLToPath } from "node:url";
import { startChild } from "../child/start-child.ts";
import { FULL, measureContenders, QUICK, type Measurement } from "./measure.ts";
import type { Answer, Row } from "./row.ts";

const script = fileURLToPath(new URL("./contender-process.js", import.meta.url));

/** Measures a row. Each contender has a process, so that no one runs in the heap or with the compiled code of another. */
export async function measureRow(row: Row, isQuick: boolean): Promise<Measurement[]> {
  const children = (await row.contenders()).map((contender, index) => {
    const child = startChild(script, [row.id, String(index)], {});
    const ask = async (task: string): Promise<unknown> => {
      try {
        return await child.ask(task);
      } catch (error) {
        throw new Error(`${contender.name}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    };
    const remote = {
      ...contender,
      sample: async () => Number(await ask("sample")),
      answer: contender.answer && (async () => (await ask("answer")) as Answer),
      tick: contender.tick && (async () => Number(await ask("tick"))),
    };
    return { remote, stop: child.stop };
  });
  try {
    return await measureContenders(
      row.id,
      children.map(({ remote }) => remote),
      isQuick ? QUICK : FULL,
    );
  } finally {
    for (const { stop } of children) stop();
  }
}
