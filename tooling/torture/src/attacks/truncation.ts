import { checkResponse, createTruncator } from "@fstools/protocol";
import { createOutputStore, createSandbox } from "@fstools/sandbox";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Arena, Attack } from "../attack.ts";
import { nastyString } from "../names.ts";
import type { Random } from "../random.ts";
import { dataOf, type Answer } from "../response.ts";

/** Random answers through the truncator: a true slice of the right size, and a spill file that holds everything. */
export const truncation: Attack = {
  name: "truncation",
  what: "random answers cut to random sizes, many spilled within the same second",
  minimum: { full: 2000, short: 20 },
  run: async (arena) => {
    const root = join(arena.folder, "project");
    mkdirSync(root);
    let spills = 0;
    while (arena.goOn()) {
      const cut = await Promise.all(Array.from({ length: 5 }, () => truncateOne(arena, root)));
      spills += checkSpills(cut, root, arena.tally.violation);
      rmSync(join(root, "tool-output"), { recursive: true, force: true });
    }
    arena.tally.note("spilled", String(spills));
  },
};

interface Cut {
  readonly whole: Answer;
  readonly truncated: Answer;
}

async function truncateOne({ random, tally }: Arena, root: string): Promise<Cut> {
  tally.attempt();
  const whole = someResponse(random);
  const maxLines = random.pick([1, 2, 10, 100, 2000]);
  const maxBytes = random.pick([16, 64, 1000, 51_200]);
  const direction = random.pick(["head", "tail"] as const);
  const store = createOutputStore(createSandbox({ projectRoot: root }));
  const truncated = await createTruncator({ store, maxLines, maxBytes, direction })("To ol/../x", whole);
  const isSound = checkResponse(whole).length === 0;
  for (const { rule, message } of isSound ? checkResponse(truncated) : [])
    tally.violation(`the truncator breaks ${rule}: ${message}`);
  for (const problem of cutProblems(measuredText(whole), whole, truncated, { maxLines, maxBytes, direction })) {
    tally.violation(`${problem} (${direction}, ${maxLines} lines, ${maxBytes} bytes)`);
  }
  return { whole, truncated };
}

/** The response as indented JSON in which line breaks inside strings are real ones. */
function measuredText(response: Answer): string {
  return JSON.stringify(response, null, 2).replaceAll(/\\(?:u[0-9a-f]{4}|.)/gu, (escape) =>
    escape === String.raw`\n` ? "\n" : escape,
  );
}

interface Limits {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly direction: "head" | "tail";
}

function cutProblems(text: string, whole: Answer, truncated: Answer, limits: Limits): string[] {
  const { maxLines, maxBytes, direction } = limits;
  const size = { lines: lineCount(text), bytes: Buffer.byteLength(text) };
  if (size.lines <= maxLines && size.bytes <= maxBytes) return truncated === whole ? [] : ["what fits was changed"];
  const preview = dataOf(truncated, "preview");
  if (typeof preview !== "string") return ["what does not fit was not cut"];
  const found: string[] = [];
  const kept = { lines: lineCount(preview), bytes: Buffer.byteLength(preview) };
  if (!(direction === "head" ? text.startsWith(preview) : text.endsWith(preview)))
    found.push("the preview is no slice");
  if (Buffer.from(preview).toString() !== preview) found.push("the preview holds half a character");
  if (kept.bytes > maxBytes || kept.lines > maxLines) found.push(`the preview is too long: ${JSON.stringify(kept)}`);
  const nothingToSpare = kept.lines === maxLines || kept.bytes >= maxBytes / 2 - 4;
  if (!nothingToSpare) found.push(`too much was dropped: ${JSON.stringify(kept)}`);
  const told = dataOf(truncated, "truncation");
  const expected = {
    direction,
    max_lines: maxLines,
    max_bytes: maxBytes,
    original_lines: size.lines,
    original_bytes: size.bytes,
    kept_lines: kept.lines,
    kept_bytes: kept.bytes,
  };
  for (const [key, value] of Object.entries(expected)) {
    const said: unknown = typeof told === "object" && told !== null ? Reflect.get(told, key) : undefined;
    if (said !== value) found.push(`${key} is ${String(said)}, not ${String(value)}`);
  }
  return found;
}

function lineCount(text: string): number {
  return text.split("\n").length;
}

/** Each spilled answer has a file of its own that holds exactly it. */
function checkSpills(cuts: readonly Cut[], root: string, complain: (what: string) => void): number {
  const paths = new Set<string>();
  let spilled = 0;
  for (const { whole, truncated } of cuts) {
    if (truncated === whole) continue;
    spilled++;
    const truncation = dataOf(truncated, "truncation");
    const path: unknown =
      typeof truncation === "object" && truncation !== null ? Reflect.get(truncation, "full_output_path") : undefined;
    if (typeof path !== "string") {
      complain(`nothing was spilled: ${truncated.text}`);
      continue;
    }
    if (paths.has(path)) complain(`two answers were spilled to ${path}`);
    paths.add(path);
    const saved: unknown = JSON.parse(readFileSync(join(root, path), "utf8"));
    if (!isDeepStrictEqual(saved, JSON.parse(JSON.stringify(whole)))) complain(`${path} holds something else`);
  }
  const directory = join(root, "tool-output");
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".json")) : [];
  if (files.length !== paths.size) complain(`${files.length} files for ${paths.size} spilled answers`);
  return spilled;
}

function someResponse(random: Random): Answer {
  const amount = random.pick([0, 1, 5, 50, 500]);
  const data = {
    content: Array.from({ length: random.integer(0, amount) }, () => nastyString(random).slice(0, 500)).join("\n"),
    items: Array.from({ length: random.integer(0, amount) }, () => nastyString(random).slice(0, 100)),
    backslashes: String.raw`C:\new\table`,
  };
  const context = { cwd: ".", params_input: { value: nastyString(random) } };
  const common = { stats: { time_ms: 1 }, context };
  const message = `Failed ${"badly, ".repeat(random.integer(0, amount))}and stopped.`;
  return random.chance(0.2)
    ? {
        ...common,
        status: "error",
        data: {},
        error: { code: "INTERNAL_ERROR", message },
        text: `${message} Try again.`,
      }
    : { ...common, status: "success", data, text: "Done." };
}
