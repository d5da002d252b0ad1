import { checkResponse, renderForModel, type Tool, type ToolResponse } from "@fstools/protocol";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import type { Tally } from "./tally.ts";

/** The content of every file outside the project root, and part of every name there that no attack passes in. */
export const CANARY = "CANARY-7f3a";

/** No call may work for longer, whatever it is asked; nor may anyone wait for four times as long. */
const LONGEST_CALL_MS = 5000;

/** What could forge a line or turn the text around; line breaks and tabs are the only controls that `text` may hold. */
// eslint-disable-next-line no-control-regex -- controls are what it looks for
export const RAW_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export type Answer = ToolResponse<object>;

export interface Victim {
  readonly category: "ls" | "glob" | "grep" | "read" | "edit";
  readonly run: Tool["run"];
  readonly name: string;
  readonly printsAbsolutePaths: boolean;
  readonly parameters: readonly string[];
  readonly pathParameter: "path" | "filePath";
}

export interface Expectations {
  readonly signal?: AbortSignal;
  /** An absolute path that must not appear unless the caller passed it. */
  readonly hiddenRoot?: string;
  /** @default 5000 */
  readonly longestCallMs?: number;
}

/** Calls a tool and checks whatever must hold of every answer; violations go to the tally. */
export async function examine(
  tally: Tally,
  victim: Victim,
  params: unknown,
  expectations: Expectations = {},
): Promise<Answer | undefined> {
  tally.attempt();
  const complain = (what: string) => tally.violation(`${victim.name} ${show(params)}: ${what}`);
  const cpuAtStart = process.cpuUsage();
  const { longestCallMs = LONGEST_CALL_MS, signal } = expectations;
  const timer = new AbortController();
  const late = sleep(4 * longestCallMs, undefined, { signal: timer.signal }).catch(() => undefined);
  let response: Answer | undefined;
  try {
    response = (await Promise.race([victim.run(params, signal === undefined ? {} : { signal }), late])) ?? undefined;
    if (response === undefined) complain("never answered");
  } catch (error) {
    complain(`rejected: ${inspect(error)}`);
  }
  timer.abort();
  // The processor's time, since the clock's is as much the machine's business as ours.
  const { user, system } = process.cpuUsage(cpuAtStart);
  const workedMs = (user + system) / 1000;
  if (workedMs > longestCallMs) complain(`worked for ${workedMs.toFixed(0)} ms`);
  if (response === undefined) return undefined;
  for (const problem of problems(victim, response, params, expectations)) complain(problem);
  return response;
}

function problems(victim: Victim, response: Answer, params: unknown, expectations: Expectations): string[] {
  const found = checkResponse(response, { category: victim.category })
    // A file's name may hold a backslash; the checker only wonders.
    .filter(({ rule }) => rule !== "path/windows")
    .map(({ rule, path, message }) => `breaks ${rule} at ${path}: ${message}`);
  const printed = JSON.stringify(response);
  if (printed.includes(CANARY)) found.push(`returned what lies outside: ${excerpt(printed, CANARY)}`);
  const { hiddenRoot } = expectations;
  if (hiddenRoot !== undefined && !victim.printsAbsolutePaths && leaks(response, hiddenRoot, params)) {
    found.push(`told the absolute path: ${excerpt(printed, hiddenRoot)}`);
  }
  if (RAW_CONTROL.test(response.text)) found.push(`raw control characters in text: ${JSON.stringify(response.text)}`);
  if (renderForModel(response).length === 0) found.push("nothing to show to the model");
  return found;
}

/** What an answer tells by saying that a path, which is there only inside or only outside, is missing or exists. */
export function toldOutside(answer: Answer | undefined, path: string, isInside: boolean | undefined): string[] {
  const code = answer?.error?.code;
  if (isInside === true && code === "NOT_FOUND") return [`told that ${path} is missing outside`];
  const isQuiet = isInside !== false || answer === undefined || code === "NOT_FOUND" || code === "ACCESS_DENIED";
  return isQuiet ? [] : [`told that ${path} exists outside: ${answer.text}`];
}

function leaks(response: Answer, root: string, params: unknown): boolean {
  if (inspect(params, { depth: 4, maxStringLength: null }).includes(root)) return false;
  const { context, ...rest } = response;
  return JSON.stringify([rest, { ...context, params_input: null }]).includes(root);
}

function excerpt(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 60), at + 100);
}

export function show(value: unknown): string {
  try {
    return inspect(value, { depth: 2, maxStringLength: 120, maxArrayLength: 5, breakLength: Infinity }).slice(0, 300);
  } catch {
    return "(a value that cannot be shown)";
  }
}

export function dataOf(answer: Answer | undefined, key: string): unknown {
  return answer === undefined ? undefined : Reflect.get(answer.data, key);
}

export function stringsIn(answer: Answer | undefined, key: string): string[] {
  const list = dataOf(answer, key);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** The texts of the objects in a list of an answer's data: `path` and `type` of entries, `file` and `text` of matches. */
export function itemsIn(answer: Answer | undefined, key: "entries" | "matches"): Readonly<Record<string, string>>[] {
  const list = dataOf(answer, key);
  return Array.isArray(list) ? list.filter(isItem) : [];
}

export function filesIn(answer: Answer | undefined): string[] {
  return itemsIn(answer, "matches").map(({ file = "" }) => file);
}

function isItem(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null;
}
