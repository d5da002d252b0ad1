import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { drive, type Dialect } from "./drivers/dialect.ts";
import { Attached, Refused, type Call } from "./drivers/driver.ts";
import { TERMS, type Files } from "./fixtures.ts";
import type { Answer } from "../rivals/start-host.ts";
import { countedSession, OutOfCalls } from "./session.ts";
import { countTokens } from "./tokens.ts";
import { inBytes, rightAnswer } from "./oracle.ts";
import type { Task } from "./tasks.ts";

/** How a task came out. */
export interface Outcome {
  readonly task: string;
  readonly calls: number;
  readonly tokens: number;
  readonly elapsedMs: number;
  /**
   * "told": wrong or incomplete, and an answer said so (or that it can't be done). "silent": wrong or incomplete, and
   * nothing in the answers said so.
   */
  readonly result: "right" | "told" | "silent";
  /** What the answers said about it, where it is not right. */
  readonly notice?: string;
}

/** Lets a driver do a task, and compares what came out with what should have. */
export async function runTask(
  task: Task,
  dialect: Dialect,
  call: (...call: Call) => Promise<Answer>,
  project: { readonly root: string; readonly files: Files },
): Promise<Outcome> {
  const right = await rightAnswer(task, project.files);
  const { session, cost, doubts } = countedSession(call);
  let answer: unknown;
  let refusal: string | undefined;
  try {
    answer = await task.solve(drive(dialect, session), (path, change) => {
      const place = join(project.root, path);
      writeFileSync(place, change(readFileSync(place, "utf8")));
    });
  } catch (error) {
    if (error instanceof Attached) {
      // What a provider makes of it costs at least its text.
      cost.tokens += countTokens(TERMS.flat().join("\n"));
      ({ answer } = right);
    } else if (!(error instanceof Refused || error instanceof OutOfCalls)) throw error;
    else refusal = error.message.slice(0, 200);
  }
  const changes = Object.fromEntries(
    Object.keys(right.changes).map((path) => [path, inBytes(contentOf(join(project.root, path)))]),
  );
  const isRight =
    task.isChange === true ? isDeepStrictEqual(changes, right.changes) : isDeepStrictEqual(answer, right.answer);
  const spent = { task: task.id, calls: cost.calls, tokens: cost.tokens, elapsedMs: Math.round(cost.elapsedMs) };
  if (isRight && refusal === undefined) return { ...spent, result: "right" };
  if (refusal !== undefined) return { ...spent, result: "told", notice: refusal };
  if (doubts.length > 0) return { ...spent, result: "told", notice: doubts.join(" ").slice(0, 200) };
  return { ...spent, result: "silent" };
}

function contentOf(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}
