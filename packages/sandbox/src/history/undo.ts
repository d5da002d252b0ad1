import { defineTool, echo, ErrorCode, escapeText, ToolError, z } from "@fstools/protocol";
import type { Outcome, ToolResponse } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { closeSync, readFileSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { openVerified } from "../disk/descriptor.ts";
import { createPacer } from "../pacer.ts";
import { explainPathErrors, type PathWords } from "../shared/path-words.ts";
import type { MadeFileChange } from "../write/after-change.ts";
import { all, putSet } from "../write/change-set.ts";
import { changeDiscounts } from "../write/change-words.ts";
import { createDiff, joinDiffs, type FileDiff } from "../write/diff.ts";
import { explainedStep } from "../write/placer.ts";
import { inTurns } from "../write/queue.ts";
import { explainWriteError, StaleTargetError } from "../write/write-error.ts";
import { DamagedContentError } from "./contents.ts";
import type { OpenEntry } from "./log.ts";
import type { Effect, EntryState, Part } from "./part.ts";
import { removeMade, wayBack } from "./put-back.ts";
import { createRecord, type RecordOptions } from "./record.ts";
import { recover, type Keeping } from "./recover.ts";
import type { LoggedEntry } from "./segment.ts";

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

/** A set that is to be undone. */
interface KnownSet {
  readonly part: Part;
  readonly boundary: Boundary;
}

/** What an undo does to a path. */
interface Undone extends HistoryFile {
  /** What is there and what will be, if both are small texts. */
  readonly texts?: { readonly now: Buffer | undefined; readonly then: Buffer | undefined };
}

const MAX_SHOWN_BYTES = 1024 * 1024;
const MAX_NAMES = 10;
const LETTERS = { create: "A", update: "M", delete: "D", move: "R" } as const;
const TOOL = "Undo";

const words: PathWords = {
  missing: (path) => `Path '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  denied: (path) => `Writing to '${path}' is not allowed.`,
};

/** Creates what undoes the changes of a history. */
export function createUndo(keeping: Keeping): Undo {
  const tool = defineTool({
    name: TOOL,
    description: "Puts back what was there before a change.",
    input: z.object({ id: z.string().optional(), since: z.string().optional() }),
    effect: "write",
    explain: (error, { id, since }) => explained(error, id ?? since ?? ""),
    run: ({ id, since }, { signal }) =>
      since === undefined
        ? undo(keeping, id ?? "", (one) => one === id, signal)
        : undo(keeping, since, (one) => one >= since, signal),
  });
  return (change) => tool.run(typeof change === "string" ? { id: change } : { since: change.since });
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof StaleTargetError) return changedSince([path]);
  if (error instanceof DamagedContentError) {
    return new ToolError(ErrorCode.EXECUTION_ERROR, `What was at '${echo(path)}' is damaged in the history.`, {
      hint: "Nothing was undone. It cannot be restored from this history.",
    });
  }
  return explainPathErrors(words)(explainWriteError(error, path), { path }, { has: () => false });
}

function changedSince(paths: readonly string[]): ToolError {
  const shown = paths.slice(0, MAX_NAMES).map((path) => `'${echo(path)}'`);
  const more = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : "";
  return new ToolError(ErrorCode.CONFLICT, `Changed since then: ${shown.join(", ")}${more}.`, {
    hint: "Nothing was undone. Undo later changes of these files first, or put them back by hand.",
  });
}

async function undo(
  keeping: Keeping,
  wanted: string,
  isWanted: (id: string) => boolean,
  signal: AbortSignal,
): Promise<Outcome<UndoData>> {
  const entries = find(keeping, (entry) => isWanted(entry.id) && entry.state === "done");
  const sets = entries.flatMap((entry) => knownSets(keeping, entry).toReversed());
  if (!entries.some(({ id }) => id === wanted) || sets.length === 0) {
    throw new ToolError(ErrorCode.NOT_FOUND, `There is no change '${echo(wanted)}'.`, {
      hint: "Choose one that the history lists for this project.",
    });
  }
  const keys = sets.flatMap(({ part }) => part.effects.flatMap(({ path, from = path }) => [path, from]));
  return inTurns(keys, signal, async () => {
    await expectUnchanged(keeping, sets);
    let open: OpenEntry | undefined;
    const start = () => (open ??= keeping.log.start(true));
    const undone: Undone[] = [];
    try {
      for (const [at, set] of sets.entries()) {
        undone.push(...(await all(set.part.effects.map((effect) => look(keeping, set, effect)))));
        await undoSet(keeping, set, { start, part: at === sets.length - 1 ? "last" : "more follow" }, signal);
      }
      open?.append("clear");
    } catch (error) {
      // What was undone before is put back, as after a crash.
      const [own] = find(keeping, ({ id }) => id === open?.id);
      if (own !== undefined) await recover(keeping, { ...own, state: "open" });
      throw error;
    } finally {
      open?.close();
    }
    return outcomeOf(undone, entries.length);
  });
}

/** Newest first. */
function find({ log }: Keeping, isWanted: (entry: LoggedEntry) => boolean): LoggedEntry[] {
  const found: LoggedEntry[] = [];
  for (const { entries } of log.segments()) found.push(...entries.filter(isWanted));
  return found.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** Nothing, if one of its sets is in no known project. */
function knownSets({ boundaryFor }: Keeping, entry: LoggedEntry): KnownSet[] {
  const parts = entry.parts();
  const known = parts.flatMap((part) => {
    const boundary = boundaryFor(part);
    return boundary === undefined ? [] : [{ part, boundary }];
  });
  return known.length === parts.length ? known : [];
}

/** Before anything is undone; what depends on later sets that are undone too shows only then. */
async function expectUnchanged(keeping: Keeping, sets: readonly KnownSet[]): Promise<void> {
  const later = new Set<string>();
  const changed = new Set<string>();
  const namesAbove = (path: string) => [...path.matchAll(/[\\/]/gu)].map(({ index }) => path.slice(0, index));
  for (const { part, boundary } of sets) {
    for (const effect of part.effects) {
      const { path, from = path } = effect;
      const paths = [path, from].flatMap((one) => [one, ...namesAbove(one)]);
      if (paths.every((one) => !later.has(one)) && !later.has(`${path}/`) && !later.has(`${from}/`)) {
        const way = await wayBack({ ...keeping, boundary }, effect);
        for (const one of way.changed) changed.add(one);
      }
      // With a slash: something below it.
      for (const one of new Set([path, from])) for (const above of namesAbove(one)) later.add(`${above}/`);
      later.add(path).add(from);
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
  const steps = ways.flatMap((way) => way.steps);
  const record = createRecord(keeping, { boundary, tool: TOOL, durable: true, ...group });
  const named = steps.map((step) => explainedStep(step, (error) => explained(error, step.target.path.relative)));
  await putSet(boundary, named, { durable: true, signal, record });
  removeMade(boundary, part);
}

async function look({ contents }: Keeping, { boundary }: KnownSet, effect: Effect): Promise<Undone> {
  const { path, operation, from } = fileOf(boundary, effect);
  if (operation === "move") {
    const texts = effect.before?.[0]?.kind === "file" ? { now: Buffer.alloc(0), then: Buffer.alloc(0) } : undefined;
    return { path: from ?? path, from: path, operation, ...(texts && { texts }) };
  }
  const turned = operation === "create" ? "delete" : operation === "delete" ? "create" : "update";
  const sides = [effect.after ?? undefined, effect.before];
  const isShown = ([top]: readonly EntryState[]) =>
    top?.kind === "file" && top.size <= MAX_SHOWN_BYTES && top.hash !== undefined;
  if (!sides.every((states) => states === undefined || isShown(states))) return { path, operation: turned };
  const then = effect.before?.[0]?.hash;
  const texts = {
    now: effect.after ? readNow(boundary, path) : undefined,
    then: then === undefined ? undefined : await contents.read(then),
  };
  const isText = !texts.now?.includes(0) && !texts.then?.includes(0);
  return { path, operation: turned, ...(isText && { texts }) };
}

function readNow(boundary: Boundary, path: string): Buffer {
  const { descriptor } = openVerified(boundary, boundary.paths.place(path), "file");
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What a set did to a path, relative to the project root. */
export function fileOf(
  { paths }: { readonly paths: Pick<Boundary["paths"], "relative"> },
  { path, from, before, after }: Effect,
): HistoryFile {
  const shown = paths.relative(path) ?? path;
  if (from !== undefined) return { path: shown, operation: "move", from: paths.relative(from) ?? from };
  return { path: shown, operation: before === undefined ? "create" : after ? "update" : "delete" };
}

async function outcomeOf(undone: readonly Undone[], changes: number): Promise<Outcome<UndoData>> {
  const pacer = createPacer();
  const files: MadeFileChange[] = [];
  const diffs: FileDiff[] = [];
  for (const { texts, ...file } of merged(undone)) {
    const request = texts && { ...file, before: texts.now, after: texts.then, isOneOfSeveral: true };
    const diff = request && (await createDiff(request, pacer));
    if (diff !== undefined) diffs.push(diff);
    files.push({ ...file, lines_added: diff?.linesAdded ?? 0, lines_removed: diff?.linesRemoved ?? 0 });
  }
  const preview = joinDiffs(diffs, pacer).preview();
  const shown = ({ path, operation, from }: MadeFileChange) =>
    `${LETTERS[operation]} ${from === undefined ? "" : `${escapeText(from)} -> `}${escapeText(path)}`;
  return {
    data: {
      applied: true,
      operation: "undo",
      files,
      diff_preview: preview.text,
      diff_truncated: preview.isTruncated,
    },
    summary: (elapsedMs) => [
      `Undid ${changes} ${changes === 1 ? "change" : "changes"} (${files.length} files).`,
      `(Took ${elapsedMs}ms)`,
    ],
    discounts: changeDiscounts({ isDryRun: false, preview, given: {}, reader: undefined }),
    body: files.map(shown).join("\n"),
  };
}

/** What several changes did to one file is one. */
function merged(undone: readonly Undone[]): Undone[] {
  const files = new Map<string, Undone>();
  for (const one of undone) {
    const before = files.get(one.path);
    files.delete(one.path);
    if (before === undefined || before.operation === "move" || one.operation === "move") {
      files.set(before === undefined ? one.path : `${files.size} ${one.path}`, one);
      continue;
    }
    const [isNew, isGone] = [before.operation === "create", one.operation === "delete"];
    if (isNew && isGone) continue;
    const texts = before.texts && one.texts && { now: before.texts.now, then: one.texts.then };
    files.set(one.path, {
      path: one.path,
      operation: isNew ? "create" : isGone ? "delete" : "update",
      ...(texts && { texts }),
    });
  }
  return [...files.values()];
}
