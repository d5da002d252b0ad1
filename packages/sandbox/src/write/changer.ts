import { echo, ErrorCode, ToolError, type ToolCall } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { closeSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { openFile, openSeen, openVerified, type SandboxFile } from "../disk/open.ts";
import { SandboxError } from "../error.ts";
import { findForeignPath } from "../names/foreign-path.ts";
import { parentOf, type SafePath } from "../names/safe-path.ts";
import { createPacer } from "../pacer.ts";
import { foldName } from "../rules/deny-rules.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { createFileVersions } from "../versions.ts";
import type { PlacedFile } from "./after-change.ts";
import type { Step } from "./change-set.ts";
import { conflict } from "./change-words.ts";
import { moveStep, removeStep } from "./entry-steps.ts";
import { createPlacer, type ChangeOptions, type Decision, type Placing } from "./placer.ts";
import { findEntry, findTarget, seenFrom, type Target, type TargetBase } from "./target.ts";
import { explainWriteError, StaleTargetError } from "./write-error.ts";
import { writeStep } from "./write-step.ts";

/** A path that may be changed, as the caller spelled it. */
export interface TargetRequest {
  readonly path: string;
  /** Where it starts if nothing exists below the project root. */
  readonly orFrom?: SafePath;
  /** Whether the file may be missing. */
  readonly creates: boolean;
  /**
   * Whether its name is what changes: then it may not be a link.
   * @default false
   */
  readonly isItself?: boolean;
}

/** A file that is to be changed, as it is now. */
export interface CurrentFile {
  readonly path: SafePath;
  /** Undefined if it does not exist yet; not to be used after the plan is made. */
  readonly file: SandboxFile | undefined;
  /** The directory that would have to be made for it, relative to the project root. */
  readonly newDirectory: string | undefined;
  /** All its bytes, in slices that do not block the event loop. */
  read(): Promise<Buffer>;
}

/** A path at which nothing can be changed. */
export interface Unusable {
  readonly error: unknown;
}

/** What happens to one file. */
export interface FileChange extends Pick<PlacedFile, "operation" | "lines"> {
  readonly file: CurrentFile;
  /** What moves there; then nothing may be there yet. */
  readonly from?: CurrentFile;
  /** The whole new content; of what moves, if it changes too. */
  readonly bytes?: Uint8Array | undefined;
  /**
   * Whether it may be run.
   * @default as before; a new file may not
   */
  readonly executable?: boolean | undefined;
}

/** What a tool wants to do with files. */
export interface ChangePlan {
  readonly operation: "create" | "update" | "edit" | "patch";
  /** All of them are made, or none; empty if nothing is to be written. */
  readonly changes: readonly FileChange[];
  /** The whole change as a unified diff. */
  diff(): Promise<string>;
}

/** A change of files. */
interface ChangeRequest<Plan extends ChangePlan> {
  readonly tool: string;
  readonly targets: readonly TargetRequest[];
  /**
   * Looks at the files, which are in the order of the targets, and decides; may throw. No other call of this process
   * changes them meanwhile.
   */
  plan(current: readonly (CurrentFile | Unusable)[]): Promise<Plan>;
}

/** What a tool wants to do with one file: to write it, if there is a content. */
export type FilePlan = Omit<ChangePlan, "changes"> & Pick<FileChange, "bytes" | "lines">;

/** A change of one file. */
interface FileRequest<Plan extends FilePlan> extends TargetRequest, Pick<ChangeRequest<never>, "tool"> {
  /** Looks at the file and decides; may throw. No other call of this process changes the file meanwhile. */
  plan(current: CurrentFile): Promise<Plan>;
}

/** A path, and what it names, or why it can't be used. */
interface Place {
  readonly wanted: TargetRequest;
  readonly target?: Target;
  readonly error?: unknown;
}

/** What a plan is shown of a place; the file is open until the change is made. */
interface Shown extends Place {
  readonly current: CurrentFile | Unusable;
}

/** What is the same for all files of a call. */
interface Run {
  readonly sandbox: Sandbox;
  readonly boundary: Boundary;
  readonly call: ToolCall;
  readonly explain: (error: unknown, wanted: TargetRequest) => unknown;
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * Creates the function with which a tool changes one file: a set of one change. Its `written` is undefined if the plan was to
 * write nothing.
 */
export function createFileChanger(sandbox: Sandbox, options: ChangeOptions) {
  const change = createChanger(sandbox, options);
  return async <Plan extends FilePlan>(request: FileRequest<Plan>, call: ToolCall) => {
    const { tool, ...target } = request;
    const plan = async ([file]: readonly (CurrentFile | Unusable)[]) => {
      if (file === undefined || "error" in file) throw file?.error;
      const own = await request.plan(file);
      const { bytes, lines } = own;
      const operation = file.file === undefined ? ("create" as const) : ("update" as const);
      const changes = bytes === undefined ? [] : [{ operation, file, bytes, lines }];
      return { operation: own.operation, changes, diff: () => own.diff(), path: file.path, own };
    };
    const made = await change({ tool, targets: [target], plan }, call);
    return { path: made.plan.path, plan: made.plan.own, written: made.written[0] };
  };
}

/**
 * Creates the function with which a tool changes files, all or none: it resolves, plans, asks the user, and writes. Calls on
 * the same file run one after another. What was `written` is in the order of the plan's changes; empty if nothing was to be.
 */
export function createChanger(sandbox: Sandbox, options: ChangeOptions) {
  const { versions = createFileVersions() } = options;
  const boundary = boundaryOf(sandbox);
  const { change, ready } = createPlacer(sandbox, { ...options, versions });

  return async <Plan extends ChangePlan>(request: ChangeRequest<Plan>, call: ToolCall) => {
    const { tool, targets } = request;
    await ready();
    const pacer = createPacer(call.signal);
    if (pacer.due()) await pacer.rest();
    const explain: Run["explain"] = (error, { path }) => {
      if (!(error instanceof StaleTargetError)) return explainWriteError(error, path);
      return conflict(path, call, error.isTaken ? "unread" : "modified");
    };
    const run: Run = { sandbox, boundary, call, explain };
    const places: Place[] = [];
    // Nothing is awaited where all can be used, so a call that is first in the queue need not look at the paths again.
    for (const wanted of targets) places.push(lookAt(run, wanted) ?? (await refusal(run, wanted)));
    const keys = places.flatMap(({ target }) => target?.path.absolute ?? []);

    const decide = async (hadToWait: boolean) => {
      const shown = places.map((place) => show(run, hadToWait ? lookAgain(run, place) : place));
      const [only, other] = shown;
      if (only?.target && other === undefined) call.note({ path_resolved: only.target.path.relative });
      const release: Decision["release"] = (isPlaced) => {
        for (const { current } of shown) {
          if ("error" in current) continue;
          if (isPlaced) current.file?.closeLater();
          else current.file?.close();
        }
      };
      try {
        const plan = await request.plan(shown.map(({ current }) => current));
        // Windows does not replace a file that is open. Elsewhere it is held: see closeLater.
        if (process.platform === "win32") release(false);
        const { operation } = plan;
        const placings = plan.changes.map((change) => placingOf(run, change, shown));
        const diff = () => plan.diff();
        let directories: readonly unknown[] = [];
        const proposed: Decision["proposed"] = async () => {
          directories = places.map(({ target }) => target && directoryId(boundary, target.nearest));
          const [path = "", ...others] = placings.map(({ file }) => file.relative);
          const asked = { tool, diff: await diff() };
          return operation === "patch"
            ? { ...asked, paths: [path, ...others], operation }
            : { ...asked, path, operation };
        };
        const approved = () => {
          for (const [index, place] of places.entries()) expectAsApproved(run, place, directories[index]);
          return placings;
        };
        return { plan, placings, diff, proposed, approved, release };
      } catch (error) {
        release(false);
        throw error;
      }
    };
    const spelled = targets.map(({ path }) => path);
    const { decision, results } = await change({ tool, spelled, keys, decide }, call.signal);
    return { plan: decision.plan, written: results };
  };
}

/** What a path names; undefined if there is nothing that could be changed or created. */
function lookAt(run: Run, wanted: TargetRequest): Place | undefined {
  try {
    const target = findTarget(run.boundary, wanted.path, baseOf(run, wanted), seenFrom);
    if (wanted.isItself === true && target?.exists === true) expectNoLink(run, wanted, target);
    const isUsable = target?.exists === true || (wanted.creates && !isMisspelled(wanted.path));
    return target !== undefined && isUsable ? { wanted, target } : undefined;
  } catch (error) {
    return { wanted, error: run.explain(error, wanted) };
  }
}

/** @throws ToolError if a name that is to change is a link's: what it leads to would be changed instead. */
function expectNoLink(run: Run, wanted: TargetRequest, target: Target): void {
  const entry = findEntry(run.boundary, wanted.path, baseOf(run, wanted));
  if (entry === undefined || foldName(entry.path.relative) === foldName(target.path.relative)) return;
  throw new ToolError(ErrorCode.INVALID_PARAM, `'${echo(wanted.path)}' is a link.`, {
    hint: `Name the file that it leads to, '${echo(target.path.relative)}'.`,
  });
}

/** Why a path can't be used, and what the caller may have meant. */
async function refusal(run: Run, wanted: TargetRequest): Promise<Place> {
  const { path, creates } = wanted;
  const error = await run.sandbox.resolve(path, { ...baseOf(run, wanted), creates, call: undefined }).then(
    () => new SandboxError({ reason: "missing", path }),
    (reason: unknown) => reason,
  );
  return { wanted, error };
}

function baseOf({ sandbox, call }: Run, { orFrom }: TargetRequest): TargetBase {
  return { from: sandbox.root, call, ...(orFrom === undefined ? {} : { orFrom }) };
}

/** Names that mean something else to a shell, a URL or Windows are never what a caller wants to create. */
function isMisspelled(path: string): boolean {
  if (/[\\/]\.?$/u.test(path)) throw new SandboxError({ reason: "is_directory", path });
  return findForeignPath(path)?.remark !== undefined;
}

/** The same place when its turn comes: another call may have created or removed the file meanwhile. */
function lookAgain(run: Run, place: Place): Place {
  const { wanted, target } = place;
  if (target === undefined) return place;
  try {
    const now = findTarget(run.boundary, target.path.relative, { from: run.sandbox.root });
    if (now?.path.relative !== target.path.relative) throw new StaleTargetError();
    if (!now.exists && !wanted.creates) throw new SandboxError({ reason: "missing", path: wanted.path });
    return { wanted, target: now };
  } catch (error) {
    return { wanted, error: run.explain(error, wanted) };
  }
}

function show(run: Run, seen: Place): Shown {
  const opened = seen.target?.isSeen === true ? openSeen(run.boundary, seen.target.path, "file") : undefined;
  const isConfirmed = seen.target?.isSeen !== true || opened !== undefined;
  const place = isConfirmed ? seen : lookAgain(run, seen);
  const { target, wanted, error: unusable } = place;
  if (target === undefined) return { ...place, current: { error: unusable } };
  const { path, exists, missing } = target;
  try {
    const file = exists ? openFile(run.boundary, path, opened) : undefined;
    const newDirectory = missing.length === 0 ? undefined : parentOf(path.relative)[0];
    const read = () => (file === undefined ? Promise.resolve(Buffer.alloc(0)) : readWhole(run, wanted, file));
    return { ...place, current: { path, file, newDirectory, read } };
  } catch (error) {
    return { ...place, current: { error: run.explain(error, wanted) } };
  }
}

async function readWhole(run: Run, wanted: TargetRequest, file: SandboxFile): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(file.size);
  const pacer = createPacer(run.call.signal);
  for (let filled = 0; filled < bytes.length;) {
    const count = file.read(bytes.subarray(filled, filled + CHUNK_BYTES), filled);
    // It was cut off while it was being read.
    if (count === 0) throw run.explain(new StaleTargetError(), wanted);
    filled += count;
    if (pacer.due()) await pacer.rest();
  }
  return bytes;
}

/** The steps of a change; their errors name the file as the caller did. */
function placingOf(run: Run, change: FileChange, shown: readonly Shown[]): Placing {
  const { operation, file, from, bytes, lines, executable } = change;
  const find = (current: CurrentFile) => {
    const { wanted, target } = shown.find((one) => one.current === current) ?? {};
    if (wanted === undefined || target === undefined)
      throw new TypeError("A plan changes the files that it was shown.");
    const { version, mode = 0o666 } = current.file ?? {};
    const seen = () => {
      if (version === undefined) throw new TypeError("A plan moves and deletes only what exists.");
      return { version };
    };
    const explained = (step: Step): Step => ({ ...step, explain: (error) => run.explain(error, wanted) });
    return { target, version, mode: modeOf(mode, executable), seen, explained };
  };
  const { target, version, mode, seen, explained } = find(file);
  const placing = { operation, file: target.path, bytes, lines };
  if (operation === "delete") return { ...placing, steps: [explained(removeStep(target, seen()))] };
  if (from === undefined) {
    if (bytes === undefined) throw new TypeError("A plan has the content of what it writes.");
    const modes = version === undefined ? { newMode: mode } : executable === undefined ? {} : { mode };
    return { ...placing, steps: [explained(writeStep(target, { bytes, ...modes, expected: version }))] };
  }
  const source = find(from);
  const old = source.seen();
  const moving = { ...placing, from: source.target.path };
  if (bytes === undefined) {
    return { ...moving, steps: [explained(moveStep(source.target, target, old))], kept: old.version };
  }
  const step = explained(writeStep(target, { bytes, mode: source.mode, expected: undefined }));
  const removal = source.explained(removeStep(source.target, old));
  return { ...moving, steps: [{ ...step, replaces: source.target }, removal] };
}

/** A mode in which whoever may read the file may run it too, or nobody. */
function modeOf(mode: number, executable: boolean | undefined): number {
  if (executable === undefined) return mode;
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** What tells a directory, relative to the project root, from another one that takes its name. */
function directoryId(boundary: Boundary, relative: string): string {
  const { descriptor, stats } = openVerified(boundary, boundary.paths.place(relative), "directory");
  closeSync(descriptor);
  return `${stats.dev}:${stats.ino}`;
}

/** Whatever happened to a path since the user was asked, it is not what was approved. */
function expectAsApproved(run: Run, { wanted, target }: Place, directory: unknown): void {
  const { boundary } = run;
  if (target === undefined) return;
  try {
    const now = findTarget(boundary, wanted.path, baseOf(run, wanted));
    const isSamePath = now?.path.relative === target.path.relative;
    if (!isSamePath || directoryId(boundary, target.nearest) !== directory) throw new StaleTargetError();
  } catch (error) {
    throw run.explain(error instanceof SandboxError ? new StaleTargetError() : error, wanted);
  }
}
