import { echo, ErrorCode, ToolError, type ToolCall } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { closeSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { openVerified } from "../disk/descriptor.ts";
import { openFile, type SandboxFile } from "../disk/open.ts";
import { SandboxError } from "../error.ts";
import { findForeignPath } from "../names/foreign-path.ts";
import { parentOf, type SafePath } from "../names/safe-path.ts";
import { createPacer } from "../pacer.ts";
import { foldName } from "../rules/spelling.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { createFileVersions, type FileVersion } from "../versions.ts";
import type { LineCounts } from "./after-change.ts";
import type { ProposedFileChange, ProposedPatch } from "./approve.ts";
import type { Step, StepResult } from "./change-set.ts";
import { conflict } from "./change-words.ts";
import { moveStep, removeStep } from "./entry-steps.ts";
import { createPlacer, type ChangeOptions, type Decision, type Placing } from "./placer.ts";
import { findEntry, findTarget, type Target, type TargetBase } from "./target.ts";
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
export type FileChange = {
  /** For `afterChange`. */
  readonly lines?: LineCounts;
  /**
   * Whether it may be run.
   * @default as before; a new file may not
   */
  readonly executable?: boolean;
} & (
  | {
      readonly kind: "write";
      readonly file: CurrentFile;
      /** The whole new content. */
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "delete"; readonly file: CurrentFile }
  | {
      readonly kind: "move";
      readonly from: CurrentFile;
      /** Where nothing is yet. */
      readonly file: CurrentFile;
      /** The whole new content, if it changes too. */
      readonly bytes?: Uint8Array;
    }
);

/** What a tool wants to do with files. */
export interface ChangePlan {
  readonly operation: (ProposedFileChange | ProposedPatch)["operation"];
  /** All of them are made, or none; empty if nothing is to be written. */
  readonly changes: readonly FileChange[];
  /** The whole change as a unified diff. */
  diff(): Promise<string>;
}

/** A change of files. */
interface ChangeRequest<Plan extends ChangePlan> {
  readonly tool: string;
  readonly targets: readonly TargetRequest[];
  /** The tool that shows a file, for hints. */
  readonly reader: string;
  /**
   * Looks at the files, which are in the order of the targets, and decides; may throw. No other call of this process
   * changes them meanwhile.
   */
  plan(current: readonly (CurrentFile | Unusable)[]): Promise<Plan>;
}

/** What was changed. */
export interface Changed<Plan extends ChangePlan> {
  readonly plan: Plan;
  /** In the order of the plan's changes; empty if nothing was to be written. */
  readonly written: readonly StepResult[];
}

/** Changes files, all or none; calls on the same file run one after another. */
export type Change = <Plan extends ChangePlan>(request: ChangeRequest<Plan>, call: ToolCall) => Promise<Changed<Plan>>;

/** What a tool wants to do with one file. */
export interface FilePlan extends Omit<ChangePlan, "changes"> {
  /** The whole new content; undefined if nothing is to be written. */
  readonly bytes: Uint8Array | undefined;
  /** For `afterChange`. */
  readonly lines?: LineCounts;
}

/** A change of one file. */
interface FileRequest<Plan extends FilePlan> extends TargetRequest {
  readonly tool: string;
  /** The tool that shows a file, for hints. */
  readonly reader: string;
  /** Looks at the file and decides; may throw. No other call of this process changes the file meanwhile. */
  plan(current: CurrentFile): Promise<Plan>;
}

/** The result. */
interface ChangedFile<Plan extends FilePlan> {
  readonly path: SafePath;
  readonly plan: Plan;
  /** Undefined if the plan was to write nothing. */
  readonly written: WrittenFile | undefined;
}

/** A file that was written. */
export interface WrittenFile extends StepResult {
  readonly version: FileVersion;
}

/** Changes a whole file; calls on the same file run one after another. */
export type ChangeFile = <Plan extends FilePlan>(
  request: FileRequest<Plan>,
  call: ToolCall,
) => Promise<ChangedFile<Plan>>;

/** A path, and what it names, or why it can't be used. */
interface Place {
  readonly wanted: TargetRequest;
  readonly target?: Target;
  readonly error?: unknown;
}

/** What a plan is shown of a place; the file is open until the change is made. */
interface Shown {
  readonly place: Place;
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

/** Creates the function with which a tool changes one file: a set of one change. */
export function createFileChanger(sandbox: Sandbox, options: ChangeOptions): ChangeFile {
  const change = createChanger(sandbox, options);
  return async (request, call) => {
    const { tool, reader, ...target } = request;
    const plan = async ([current]: readonly (CurrentFile | Unusable)[]) => {
      if (current === undefined || "error" in current) throw current?.error;
      const own = await request.plan(current);
      const { operation, bytes, lines } = own;
      const write = { kind: "write" as const, file: current, ...(lines && { lines }) };
      const changes = bytes === undefined ? [] : [{ ...write, bytes }];
      return { operation, changes, diff: () => own.diff(), path: current.path, own };
    };
    const { plan: made, written } = await change({ tool, reader, targets: [target], plan }, call);
    const [result] = written;
    const { version } = result ?? {};
    return { path: made.path, plan: made.own, written: version && { ...result, version } };
  };
}

/** Creates the function with which a tool changes files: it resolves, plans, asks the user, and writes. */
export function createChanger(sandbox: Sandbox, options: ChangeOptions): Change {
  const { versions = createFileVersions() } = options;
  const boundary = boundaryOf(sandbox);
  const { change, ready } = createPlacer(sandbox, { ...options, versions });

  return async (request, call) => {
    const { tool, targets, reader } = request;
    await ready();
    const pacer = createPacer(call.signal);
    if (pacer.due()) await pacer.rest();
    const explain: Run["explain"] = (error, { path }) => {
      if (!(error instanceof StaleTargetError)) return explainWriteError(error, path);
      return conflict({ path, reader }, call, error.isTaken ? "unread" : "modified");
    };
    const run: Run = { sandbox, boundary, call, explain };
    const places: Place[] = [];
    // Nothing is awaited where all can be used, so a call that is first in the queue need not look at the paths again.
    for (const wanted of targets) places.push(lookAt(run, wanted) ?? (await refusal(run, wanted)));
    const keys = places.flatMap(({ target }) => target?.path.absolute ?? []);
    if (places.length === 1 && places[0]?.target) call.note({ path_resolved: places[0].target.path.relative });

    const decide = async (hadToWait: boolean) => {
      const shown = places.map((place) => show(run, hadToWait ? lookAgain(run, place) : place));
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
        const { operation, changes } = plan;
        const placings = changes.map((one) => placingOf(run, one, shown));
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
        return { plan, changes, placings, diff, proposed, approved, release };
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
    const target = findTarget(run.boundary, wanted.path, baseOf(run, wanted));
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

function show(run: Run, place: Place): Shown {
  const { target, wanted, error: unusable } = place;
  if (target === undefined) return { place, current: { error: unusable } };
  const { path, exists, missing } = target;
  try {
    const file = exists ? openFile(run.boundary, path) : undefined;
    const newDirectory = missing.length === 0 ? undefined : parentOf(path.relative)[0];
    const read = () => (file === undefined ? Promise.resolve(Buffer.alloc(0)) : readWhole(run, wanted, file));
    return { place, current: { path, file, newDirectory, read } };
  } catch (error) {
    return { place, current: { error: run.explain(error, wanted) } };
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
  const file = find(change.file);
  if (change.kind === "delete") return { steps: [file.remove()], file: file.path };
  const { bytes, executable } = change;
  if (change.kind === "write") {
    const mode = modeOf(file.mode, executable);
    const modes = file.version === undefined ? { newMode: mode } : executable === undefined ? {} : { mode };
    const step = writeStep(file.target, { bytes: change.bytes, ...modes, expected: file.version });
    return { steps: [file.explained(step)], file: file.path };
  }
  const from = find(change.from);
  if (bytes === undefined) {
    const kept = from.known();
    const step = file.explained(moveStep(from.target, file.target, { version: kept }));
    return { steps: [step], file: file.path, from: from.path, kept };
  }
  const step = writeStep(file.target, { bytes, mode: modeOf(from.mode, executable), expected: undefined });
  const steps = [{ ...file.explained(step), replaces: from.target }, from.remove()];
  return { steps, file: file.path, from: from.path };

  function find(current: CurrentFile) {
    const { wanted, target } = shown.find((one) => one.current === current)?.place ?? {};
    if (wanted === undefined || target === undefined)
      throw new TypeError("A plan changes the files that it was shown.");
    const version = current.file?.version;
    const explained = (step: Step): Step => ({ ...step, explain: (error) => run.explain(error, wanted) });
    const known = (): FileVersion => {
      if (version === undefined) throw new TypeError("A plan moves and deletes only what exists.");
      return version;
    };
    const remove = () => explained(removeStep(target, { version: known() }));
    return { target, path: target.path, version, mode: current.file?.mode ?? 0o666, known, remove, explained };
  }
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
