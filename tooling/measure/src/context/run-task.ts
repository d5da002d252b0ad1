import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Answer } from "../rivals/start-host.ts";
import { drive, type Dialect } from "./drivers/dialect.ts";
import { Attached, Refused, type Call } from "./drivers/driver.ts";
import { TERMS, type Files } from "./fixtures.ts";
import { inBytes, rightAnswer } from "./oracle.ts";
import type { Task } from "./tasks.ts";
import { countTokens } from "./tokens.ts";

export interface Outcome {
  readonly task: string;
  readonly calls: number;
  /** Of the answers, and of the calls' names and parameters, which the model writes. */
  readonly tokens: number;
  readonly elapsedMs: number;
  /**
   * "told": wrong or incomplete, and an answer said so (or that it can't be done). "silent": wrong or incomplete, and
   * nothing in the answers said so.
   */
  readonly result: "right" | "told" | "silent";
  readonly notice?: string;
}

const MAX_CALLS = 30;

export async function runTask(
  task: Task,
  dialect: Dialect,
  call: (...call: Call) => Promise<Answer>,
  project: { readonly root: string; readonly files: Files },
): Promise<Outcome> {
  const right = await rightAnswer(task, project.files);
  const spent = { task: task.id, calls: 0, tokens: 0, elapsedMs: 0 };
  const told: string[] = [];
  const session = {
    call: async (...[tool, params]: Call) => {
      if (spent.calls === MAX_CALLS) throw new Refused(`More than ${MAX_CALLS} calls.`);
      const { text, elapsedMs } = await call(tool, params);
      spent.calls++;
      spent.tokens += countTokens(text) + countTokens(`${tool}${JSON.stringify(params)}`);
      spent.elapsedMs += elapsedMs;
      return text;
    },
    doubt: (notice: string) => void told.push(notice),
  };
  const rewrite = (path: string, change: (before: string) => string) => {
    const place = join(project.root, path);
    writeFileSync(place, change(readFileSync(place, "utf8")));
  };
  let isRight = false;
  try {
    const answer = await task.solve(drive(dialect, session), rewrite);
    isRight = task.isChange === true ? isChanged(project.root, right.changes) : isDeepStrictEqual(answer, right.answer);
  } catch (error) {
    if (error instanceof Refused) told.unshift(error.message);
    else if (!(error instanceof Attached)) throw error;
    else {
      // What a provider makes of it costs at least its text.
      spent.tokens += countTokens(TERMS.flat().join("\n"));
      isRight = true;
    }
  }
  spent.elapsedMs = Math.round(spent.elapsedMs);
  if (isRight) return { ...spent, result: "right" };
  return told.length > 0
    ? { ...spent, result: "told", notice: told.join(" ").slice(0, 200) }
    : { ...spent, result: "silent" };
}

function isChanged(root: string, changes: Readonly<Record<string, string>>): boolean {
  return Object.entries(changes).every(([path, bytes]) => {
    const place = join(root, path);
    return inBytes(existsSync(place) ? readFileSync(place) : undefined) === bytes;
  });
}
