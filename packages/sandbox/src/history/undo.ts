import { defineTool, echo, ErrorCode, escapeText, ToolError, z } from "@fstools/protocol";
import type { Outcome, ToolResponse } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { createPacer } from "../pacer.ts";
import type { MadeFileChange } from "../write/after-change.ts";
import { all, putSet, type Step } from "../write/change-set.ts";
import { changeDiscounts } from "../write/change-words.ts";
import { createDiff, joinDiffs, type FileDiff } from "../write/diff.ts";
import { inTurns } from "../write/placer.ts";
import { explainWriteError, StaleTargetError } from "../write/write-error.ts";
import { timeOf, type Effect, type OpenEntry } from "./log.ts";
import { filesOf, knownSets, recover, removeMade, wayBack, type KnownSet } from "./put-back.ts";
import { createRecord, type Keeping } from "./record.ts";

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
    run: ({ id, since }, { signal }) => undo(keeping, id ?? since ?? "", id === undefined, signal),
  });
  return (change) => tool.run(typeof change === "string" ? { id: change } : change);
}

function explained(error: unknown, path: string): unknown {
  return error instanceof StaleTargetError ? changedSince([path]) : explainWriteError(error, path);
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
  withLater: boolean,
  signal: AbortSignal,
): Promise<Outcome<UndoData>> {
  const entries = [...history.log.entries("done", (id) => id === wanted || (withLater && id > wanted))]
    .map(({ id, parts }) => ({ id, sets: knownSets(history, parts).toReversed() }))
    .filter((entry) => entry.sets.length > 0);
  if (!entries.some(({ id }) => id === wanted)) {
    throw new ToolError(ErrorCode.NOT_FOUND, `There is no change '${echo(wanted)}'.`, {
      hint: "Choose one that the history lists for this project.",
    });
  }
  const sets = entries.flatMap((entry) => entry.sets);
  const keeping: Keeping = { ...history, makeRoom: (bytes) => history.makeRoom(bytes, timeOf(wanted)) };
  return inTurns(filesOf(sets), signal, async () => {
    await expectUnchanged(keeping, sets);
    let open: OpenEntry | undefined;
    const start = () => (open ??= keeping.log.start());
    try {
      for (const set of sets) await undoSet(keeping, set, { start, isLast: set === sets.at(-1) }, signal);
      open?.close(true);
    } catch (error) {
      open?.close();
      // What was undone before is put back, as after a crash.
      for (const entry of keeping.log.entries("open", (id) => id === open?.id)) {
        await recover(keeping, { ...entry, isDone: false });
      }
      throw error;
    }
    return outcomeOf(keeping, sets, entries.length);
  });
}

/** Before anything is undone; where sets depend on later ones that are undone too, it shows only then. */
async function expectUnchanged({ contents }: Keeping, sets: readonly KnownSet[]): Promise<void> {
  const later = new Set<string>();
  const changed = new Set<string>();
  // With a slash: something below it.
  const above = (path: string) => [...path.matchAll(/[\\/]/gu)].map(({ index }) => path.slice(0, index));
  for (const { boundary, effects } of sets) {
    for (const effect of effects) {
      const paths = [effect.path, effect.from ?? effect.path];
      if (!paths.some((path) => [path, `${path}/`, ...above(path)].some((one) => later.has(one)))) {
        for (const path of (await wayBack(contents, boundary, effect)).changed) changed.add(path);
      }
      for (const path of paths) for (const one of [path, ...above(path).map((name) => `${name}/`)]) later.add(one);
    }
  }
  if (changed.size > 0) throw changedSince([...changed]);
}

/** Undoes one of the sets of a change, which is begun by the first of them and ends with the last. */
async function undoSet(
  keeping: Keeping,
  set: KnownSet,
  { start, isLast }: { readonly start: () => OpenEntry; readonly isLast: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { boundary, durable, effects } = set;
  const ways = await all(effects.map((effect) => wayBack(keeping.contents, boundary, effect)));
  const changed = ways.flatMap((way) => way.changed);
  if (changed.length > 0) throw changedSince(changed);
  const steps = ways
    .flatMap((way) => way.steps)
    .map((step): Step => ({ ...step, explain: (error) => explained(error, step.target.path.relative) }));
  const record = createRecord(keeping, { boundary, tool: TOOL, durable, start });
  const commit = () => (isLast ? record.commit() : Promise.resolve());
  await putSet(boundary, steps, { durable, signal, record: { ...record, commit, close: () => undefined } });
  removeMade(set);
}

type Shown = Buffer | "other" | undefined;

async function outcomeOf(
  { contents }: Keeping,
  sets: readonly KnownSet[],
  changes: number,
): Promise<Outcome<UndoData>> {
  const pacer = createPacer();
  const files: MadeFileChange[] = [];
  const diffs: FileDiff[] = [];
  const add = async (file: HistoryFile, before: Shown, after: Shown): Promise<void> => {
    const isText = before !== "other" && after !== "other";
    const diff = isText ? await createDiff({ ...file, before, after, isOneOfSeveral: true }, pacer) : undefined;
    if (diff !== undefined) diffs.push(diff);
    files.push({ ...file, lines_added: diff?.linesAdded ?? 0, lines_removed: diff?.linesRemoved ?? 0 });
  };
  /** A small text, or anything else; undefined if nothing was there. What was undone is kept too by now. */
  const shown = async ([top]: Effect["before"] = []): Promise<Shown> => {
    if (top === undefined) return undefined;
    const { hash, size } = top;
    const isShort = hash !== undefined && size <= MAX_SHOWN_BYTES;
    // The undo is made: a disk that fails now takes only its diff.
    const text = isShort ? await contents.read(hash).catch(() => undefined) : undefined;
    return text === undefined || text.includes(0) ? "other" : text;
  };
  const done = sets.flatMap(({ boundary, effects }) =>
    effects.map((effect) => ({ ...effect, file: fileOf(boundary, effect) })),
  );
  // Of several changes of a file, the last one's content was replaced by what was there before the first.
  const stayed = new Map<string, Pick<Effect, "before" | "after"> & { readonly file: HistoryFile }>();
  for (const effect of done.filter(({ from }) => from === undefined)) {
    const { after } = stayed.get(effect.path) ?? effect;
    stayed.set(effect.path, { ...effect, after });
  }
  for (const { file, before, after } of stayed.values()) {
    const [old, fresh] = [await shown(after), await shown(before)];
    const operation = old === undefined ? "create" : fresh === undefined ? "delete" : "update";
    if (old !== undefined || fresh !== undefined) await add({ path: file.path, operation }, old, fresh);
  }
  for (const { file, from, before } of done) {
    const same = before?.[0]?.kind === "file" ? Buffer.alloc(0) : "other";
    if (from !== undefined) await add({ path: file.from ?? from, from: file.path, operation: "move" }, same, same);
  }
  const preview = joinDiffs(diffs, pacer).preview();
  return {
    data: { applied: true, operation: "undo", files, diff_preview: preview.text, diff_truncated: preview.isTruncated },
    summary: (elapsedMs) => [
      `Undid ${changes} ${changes === 1 ? "change" : "changes"} (${files.length} ${files.length === 1 ? "file" : "files"}).`,
      `(Took ${elapsedMs}ms)`,
    ],
    discounts: changeDiscounts({ isDryRun: false, preview, given: {}, reader: undefined }),
    body: files.map(fileLine).join("\n"),
  };
}

function fileLine({ path, operation, from }: HistoryFile): string {
  return `${LETTERS[operation]} ${from === undefined ? "" : `${escapeText(from)} -> `}${escapeText(path)}`;
}

/** What a set did to a path, relative to the project root, or absolute if it is in none that is known. */
export function fileOf(
  { paths }: { readonly paths: { relative(absolute: string): string | undefined } },
  { path, replaces, from = replaces, before = [], after = [] }: Effect,
): HistoryFile {
  const shown = paths.relative(path) ?? path;
  if (from !== undefined) return { path: shown, operation: "move", from: paths.relative(from) ?? from };
  return { path: shown, operation: before.length === 0 ? "create" : after.length === 0 ? "delete" : "update" };
}
