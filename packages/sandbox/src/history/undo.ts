import { defineTool, echo, ErrorCode, escapeText, ToolError, z } from "@fstools/protocol";
import type { Outcome, ToolResponse } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { closeSync, readFileSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { openVerified } from "../disk/descriptor.ts";
import { SandboxError } from "../error.ts";
import { createPacer } from "../pacer.ts";
import type { MadeFileChange } from "../write/after-change.ts";
import { all, putSet, type Step } from "../write/change-set.ts";
import { changeDiscounts } from "../write/change-words.ts";
import { createDiff, joinDiffs, type FileDiff } from "../write/diff.ts";
import { inTurns } from "../write/placer.ts";
import { explainWriteError, StaleTargetError } from "../write/write-error.ts";
import { timeOf, type Effect, type OpenEntry } from "./log.ts";
import { filesOf, knownSets, recover, removeMade, wayBack, type Keeping, type KnownSet } from "./put-back.ts";
import { createRecord, type RecordOptions } from "./record.ts";

/** The `data` of an undo. */
export interface UndoData {
  readonly applied: boolean;
  readonly operation: "undo";
  readonly files: readonly MadeFileChange[];
  /** A unified diff of all text files, of at most 100 lines and 10 KiB. */
  readonly diff_preview: string;
  readonly diff_truncated: boolean;
}

/** What happened to a file, a link, or a directory with everything in it. */
export type HistoryFile = Pick<MadeFileChange, "path" | "operation" | "from">;

/** Undoes a change, or it and all later ones. */
export type Undo = (change: string | { readonly since: string }) => Promise<ToolResponse<UndoData>>;

const MAX_SHOWN_BYTES = 1024 * 1024;
const MAX_NAMES = 10;
const LETTERS = { create: "A", update: "M", delete: "D", move: "R" } as const;
const TOOL = "Undo";

/** Creates what undoes the changes of a history. */
export function createUndo(keeping: Keeping): Undo {
  const tool = defineTool({
    name: TOOL,
    description: "Puts back what was there before a change.",
    input: z.object({ id: z.string().optional(), since: z.string().optional() }),
    effect: "write",
    explain: (error, { id, since }) => explained(error, id ?? since ?? ""),
    run: ({ id, since = "" }, { signal }) =>
      id === undefined
        ? undo(keeping, since, (one) => one >= since, signal)
        : undo(keeping, id, (one) => one === id, signal),
  });
  return (change) => tool.run(typeof change === "string" ? { id: change } : change);
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof StaleTargetError) return changedSince([path]);
  return explainWriteError(error, path);
}

function changedSince(paths: readonly string[]): ToolError {
  const shown = paths.slice(0, MAX_NAMES).map((path) => `'${echo(path)}'`);
  const more = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : "";
  return new ToolError(ErrorCode.CONFLICT, `Changed since then: ${shown.join(", ")}${more}.`, {
    hint: "Nothing was undone. Undo later changes of these files first, or put them back by hand.",
  });
}

async function undo(
  history: Keeping,
  wanted: string,
  isWanted: (id: string) => boolean,
  signal: AbortSignal,
): Promise<Outcome<UndoData>> {
  const entries = [...history.log.entries("done", isWanted)]
    .map(({ id, parts }) => ({ id, sets: knownSets(history, parts).toReversed() }))
    .filter((entry) => entry.sets.length > 0);
  if (!entries.some(({ id }) => id === wanted)) {
    throw new ToolError(ErrorCode.NOT_FOUND, `There is no change '${echo(wanted)}'.`, {
      hint: "Choose one that the history lists for this project.",
    });
  }
  const sets = entries.flatMap((entry) => entry.sets);
  const makeRoom: Keeping["makeRoom"] = (bytes) => history.makeRoom(bytes, timeOf(wanted));
  const keeping = { ...history, makeRoom };
  return inTurns(filesOf(sets.map(({ part }) => part)), signal, async () => {
    await expectUnchanged(keeping, sets);
    const before = textsOf(sets);
    let open: OpenEntry | undefined;
    const start = () => (open ??= keeping.log.start());
    try {
      for (const [at, set] of sets.entries()) {
        await undoSet(keeping, set, { start, part: at === sets.length - 1 ? "last" : "more follow" }, signal);
      }
      open?.close(true);
    } catch (error) {
      open?.close();
      // What was undone before is put back, as after a crash.
      for (const entry of keeping.log.entries("open", (id) => id === open?.id)) {
        await recover(keeping, { ...entry, isDone: false });
      }
      throw error;
    }
    return outcomeOf(sets, before, entries.length);
  });
}

/** Before anything is undone; where sets depend on later ones that are undone too, it shows only then. */
async function expectUnchanged(keeping: Keeping, sets: readonly KnownSet[]): Promise<void> {
  const later = new Set<string>();
  const changed = new Set<string>();
  // With a slash: something below it.
  const above = (path: string) => [...path.matchAll(/[\\/]/gu)].map(({ index }) => path.slice(0, index));
  for (const { part, boundary } of sets) {
    for (const effect of part.effects) {
      const paths = [effect.path, effect.from ?? effect.path];
      if (!paths.some((path) => [path, `${path}/`, ...above(path)].some((one) => later.has(one)))) {
        for (const path of (await wayBack({ ...keeping, boundary }, effect)).changed) changed.add(path);
      }
      for (const path of paths) for (const one of [path, ...above(path).map((name) => `${name}/`)]) later.add(one);
    }
  }
  if (changed.size > 0) throw changedSince([...changed]);
}

async function undoSet(
  keeping: Keeping,
  { part, boundary }: KnownSet,
  group: Pick<RecordOptions, "start" | "part">,
  signal: AbortSignal,
): Promise<void> {
  const ways = await all(part.effects.map((effect) => wayBack({ ...keeping, boundary }, effect)));
  const changed = ways.flatMap((way) => way.changed);
  if (changed.length > 0) throw changedSince(changed);
  const steps = ways
    .flatMap((way) => way.steps)
    .map((step): Step => ({ ...step, explain: (error) => explained(error, step.target.path.relative) }));
  const { durable } = part;
  const record = createRecord(keeping, { boundary, tool: TOOL, durable, ...group });
  await putSet(boundary, steps, { durable, signal, record });
  removeMade(boundary, part);
}

/** What is at a path by now: a small text, or anything else. */
interface Shown {
  readonly path: string;
  /** Undefined if nothing is there. */
  readonly text: Buffer | "other" | undefined;
}

function textsOf(sets: readonly KnownSet[]): Map<string, Shown> {
  const stayed = sets.flatMap(({ part, boundary }) =>
    part.effects.flatMap(({ path, from }) => (from === undefined ? [[path, boundary] as const] : [])),
  );
  return new Map(
    stayed.map(([absolute, boundary]) => {
      const path = boundary.paths.relative(absolute) ?? absolute;
      return [absolute, { path, text: textAt(boundary, path) }];
    }),
  );
}

function textAt(boundary: Boundary, path: string): Shown["text"] {
  try {
    const { descriptor, stats } = openVerified(boundary, boundary.paths.place(path), "file");
    try {
      const text = stats.size > MAX_SHOWN_BYTES ? undefined : readFileSync(descriptor);
      return text === undefined || text.includes(0) ? "other" : text;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return error instanceof SandboxError && error.reason === "missing" ? undefined : "other";
  }
}

async function outcomeOf(
  sets: readonly KnownSet[],
  before: ReadonlyMap<string, Shown>,
  changes: number,
): Promise<Outcome<UndoData>> {
  const pacer = createPacer();
  const files: MadeFileChange[] = [];
  const diffs: FileDiff[] = [];
  const add = async (file: HistoryFile, old: Shown["text"], fresh: Shown["text"]): Promise<void> => {
    const isText = old !== "other" && fresh !== "other";
    const diff = isText
      ? await createDiff({ ...file, before: old, after: fresh, isOneOfSeveral: true }, pacer)
      : undefined;
    if (diff !== undefined) diffs.push(diff);
    files.push({ ...file, lines_added: diff?.linesAdded ?? 0, lines_removed: diff?.linesRemoved ?? 0 });
  };
  const now = textsOf(sets);
  for (const [absolute, { path, text: old }] of before) {
    const fresh = now.get(absolute)?.text;
    const operation = old === undefined ? "create" : fresh === undefined ? "delete" : "update";
    if (old !== undefined || fresh !== undefined) await add({ path, operation }, old, fresh);
  }
  for (const { part, boundary } of sets) {
    for (const effect of part.effects) {
      const { path, from, operation } = fileOf(boundary, effect);
      const same = effect.before?.[0]?.kind === "file" ? Buffer.alloc(0) : "other";
      if (from !== undefined && effect.from !== undefined) await add({ path: from, from: path, operation }, same, same);
    }
  }
  const preview = joinDiffs(diffs, pacer).preview();
  const shown = ({ path, operation, from }: HistoryFile) =>
    `${LETTERS[operation]} ${from === undefined ? "" : `${escapeText(from)} -> `}${escapeText(path)}`;
  return {
    data: { applied: true, operation: "undo", files, diff_preview: preview.text, diff_truncated: preview.isTruncated },
    summary: (elapsedMs) => [
      `Undid ${changes} ${changes === 1 ? "change" : "changes"} (${files.length} ${files.length === 1 ? "file" : "files"}).`,
      `(Took ${elapsedMs}ms)`,
    ],
    discounts: changeDiscounts({ isDryRun: false, preview, given: {}, reader: undefined }),
    body: files.map(shown).join("\n"),
  };
}

/** What a set did to a path, relative to the project root, or absolute if it is in none that is known. */
export function fileOf(
  { paths }: { readonly paths: { relative(absolute: string): string | undefined } },
  { path, replaces, from = replaces, before, after }: Effect,
): HistoryFile {
  const shown = paths.relative(path) ?? path;
  if (from !== undefined) return { path: shown, operation: "move", from: paths.relative(from) ?? from };
  return { path: shown, operation: before === undefined ? "create" : after ? "update" : "delete" };
}
