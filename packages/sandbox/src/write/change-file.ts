import type { ToolCall } from "@fstools/protocol";
import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { closeSync } from "node:fs";
import { findForeignPath } from "../names/foreign-path.ts";
import type { Boundary } from "../disk/boundary.ts";
import type { SafePath } from "../names/safe-path.ts";
import { openVerified } from "../disk/descriptor.ts";
import { openFile, type SandboxFile } from "../disk/open.ts";
import { createPacer } from "../pacer.ts";
import { knownAs } from "../shared/path-words.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { SandboxError } from "../error.ts";
import { createFileVersions, type FileVersion, type FileVersions } from "../versions.ts";
import { flushParents, makeParents, removeParents } from "./parents.ts";
import { putFile, type PutResult } from "./put-file.ts";
import { inTurn, orAborted } from "./queue.ts";
import { findTarget, type Target, type TargetBase } from "./target.ts";
import { explainWriteError, StaleTargetError } from "./write-error.ts";

/** A change that a user is asked about. */
export interface ProposedChange {
  readonly tool: string;
  /** Relative to the project root. */
  readonly path: string;
  readonly operation: "create" | "update" | "edit";
  /** The whole change as a unified diff. */
  readonly diff: string;
}

/** Asks the user; only `true` approves. */
export type Confirm = (change: ProposedChange, options: { readonly signal: AbortSignal }) => boolean | Promise<boolean>;

/** What a host may set for tools that change files. */
export interface ChangeOptions {
  /**
   * What the tools of this conversation know about files.
   * @default its own memory
   */
  readonly versions?: FileVersions;
  /** Asked last, before anything is written. */
  readonly confirm?: Confirm;
  /**
   * Whether to wait until the disk has the change: fsync before and after the rename.
   * @default true
   */
  readonly durable?: boolean;
}

/** The file that is to be changed, as it is now. */
export interface CurrentFile {
  readonly path: SafePath;
  /** Undefined if it does not exist yet; not to be used after the plan is made. */
  readonly file: SandboxFile | undefined;
  /** The directory that would have to be made for it, relative to the project root. */
  readonly newDirectory: string | undefined;
  /** All its bytes, in slices that do not block the event loop. */
  read(): Promise<Buffer>;
}

/** What a tool wants to do with a file. */
export interface ChangePlan {
  readonly operation: ProposedChange["operation"];
  /** The whole new content; undefined if nothing is to be written. */
  readonly bytes: Uint8Array | undefined;
  /** The whole change as a unified diff. */
  diff(): Promise<string>;
}

/** A change of one file. */
export interface ChangeRequest<Plan extends ChangePlan> {
  readonly tool: string;
  /** The path as the caller spelled it. */
  readonly path: string;
  /** Where it starts if nothing exists below the project root. */
  readonly orFrom?: SafePath;
  /** Whether a missing file is created. */
  readonly creates: boolean;
  /** The tool that shows a file, for hints. */
  readonly reader: string;
  /** Looks at the file and decides; may throw. No other call of this process changes the file meanwhile. */
  plan(current: CurrentFile): Promise<Plan>;
}

/** The result. */
export interface ChangedFile<Plan extends ChangePlan> {
  readonly path: SafePath;
  readonly plan: Plan;
  /** Undefined if the plan was to write nothing. */
  readonly written: PutResult | undefined;
}

/** Changes whole files; calls on the same file run one after another. */
export type ChangeFile = <Plan extends ChangePlan>(
  request: ChangeRequest<Plan>,
  call: ToolCall,
) => Promise<ChangedFile<Plan>>;

const CHUNK_BYTES = 1024 * 1024;

/** Makes the function with which a tool changes files: it resolves, plans, asks the user, and writes. */
export function createFileChanger(sandbox: Sandbox, options: ChangeOptions): ChangeFile {
  const { versions = createFileVersions(), confirm, durable = true } = options;
  const boundary = boundaryOf(sandbox);

  return async (request, call) => {
    const { signal } = call;
    const pacer = createPacer(signal);
    if (pacer.due()) await pacer.rest();
    const base = baseOf(sandbox, request);
    // Nothing is awaited in between, so a call that is first in the queue need not look at the path again.
    const target = usableTarget(boundary, request, base) ?? (await refuseTarget(sandbox, request, base));
    call.note({ path_resolved: target.path.relative });
    const inFileTurn = <Result>(work: (hadToWait: boolean) => Promise<Result>) =>
      inTurn(target.path.absolute, signal, work);
    let expected: FileVersion | undefined;
    const write = async (bytes: Uint8Array): Promise<PutResult> => {
      const result = await put(boundary, target, { bytes, expected, durable, signal });
      versions.record(target.path, result.version, "written");
      return result;
    };

    try {
      const { plan, written } = await inFileTurn(async (hadToWait) => {
        const current = hadToWait ? currentTarget(sandbox, boundary, target) : target;
        return withCurrentFile(boundary, current, request, async (file) => {
          expected = file?.version;
          const made = await makePlan(current, file, request, signal);
          if (made.bytes === undefined || confirm !== undefined) return { plan: made, written: undefined };
          return { plan: made, written: await write(made.bytes) };
        });
      });
      const { bytes, operation } = plan;
      if (confirm === undefined || bytes === undefined) return { path: target.path, plan, written };
      const directory = directoryId(boundary, target.nearest);
      const change = { tool: request.tool, path: target.path.relative, operation, diff: await plan.diff() };
      await approve(confirm, change, request.path, signal);
      return { path: target.path, plan, written: await inFileTurn(() => asApproved(directory, () => write(bytes))) };
    } catch (error) {
      if (error instanceof StaleTargetError) throw conflict(request, call, error.isTaken ? "unread" : "modified");
      throw explainWriteError(error, request.path);
    }

    /** Whatever happened to the path since the user was asked, it is not what was approved. */
    async function asApproved(directory: string, work: () => Promise<PutResult>): Promise<PutResult> {
      try {
        const now = findTarget(boundary, request.path, base);
        const isSamePath = now?.path.relative === target.path.relative;
        if (!isSamePath || directoryId(boundary, target.nearest) !== directory) throw new StaleTargetError();
        return await work();
      } catch (error) {
        throw error instanceof SandboxError ? new StaleTargetError() : error;
      }
    }
  };
}

/** The error for a change of a file that is not in the state that the caller knows. */
export function conflict(
  { path, reader }: { readonly path: string; readonly reader: string },
  call: Pick<ToolCall, "has">,
  why: "modified" | "unread",
): ToolError {
  const shown = `'${echo(path)}'`;
  const message =
    why === "modified" ? `${shown} has been modified since it was read.` : `${shown} exists and was not read.`;
  const known = knownAs(reader, call);
  const look = known === undefined ? "Look at the file as it is now" : `Run ${known} on ${shown}`;
  return new ToolError(ErrorCode.CONFLICT, message, {
    hint: `Nothing was written. ${look}, then repeat the change on what is there.`,
  });
}

/** The target of a request; undefined if there is nothing that it could change or create. */
function usableTarget(boundary: Boundary, request: ChangeRequest<ChangePlan>, base: TargetBase): Target | undefined {
  const target = findTarget(boundary, request.path, base);
  const isUsable = target?.exists === true || (request.creates && !isMisspelled(request.path));
  return isUsable ? target : undefined;
}

/** Rejects, with what the caller may have meant. */
async function refuseTarget(sandbox: Sandbox, { path }: ChangeRequest<ChangePlan>, base: TargetBase): Promise<never> {
  await sandbox.resolve(path, base);
  throw new SandboxError({ reason: "missing", path });
}

function baseOf(sandbox: Sandbox, { orFrom }: ChangeRequest<ChangePlan>): TargetBase {
  return { from: sandbox.root, ...(orFrom === undefined ? {} : { orFrom }) };
}

/** The target as it is when its turn comes: another call may have created or removed the file meanwhile. */
function currentTarget(sandbox: Sandbox, boundary: Boundary, target: Target): Target {
  const now = findTarget(boundary, target.path.relative, { from: sandbox.root });
  if (now?.path.relative !== target.path.relative) throw new StaleTargetError();
  return now;
}

/** What tells a directory, relative to the project root, from another one that takes its name. */
function directoryId(boundary: Boundary, relative: string): string {
  const { descriptor, stats } = openVerified(boundary, boundary.paths.place(relative), "directory");
  closeSync(descriptor);
  return `${stats.dev}:${stats.ino}`;
}

/** Names that mean something else to a shell, a URL or Windows are never what a caller wants to create. */
function isMisspelled(path: string): boolean {
  if (/[\\/]\.?$/u.test(path)) throw new SandboxError({ reason: "is_directory", path });
  return findForeignPath(path)?.remark !== undefined;
}

/** Passes on the file as it is now, open until the work is done. */
async function withCurrentFile<Result extends { readonly written: PutResult | undefined }>(
  boundary: Boundary,
  target: Target,
  request: ChangeRequest<ChangePlan>,
  work: (file: SandboxFile | undefined) => Promise<Result>,
): Promise<Result> {
  if (!target.exists && !request.creates) throw new SandboxError({ reason: "missing", path: request.path });
  const file = target.exists ? openFile(boundary, target.path) : undefined;
  let written: PutResult | undefined;
  try {
    const result = await work(file);
    ({ written } = result);
    return result;
  } finally {
    if (written === undefined) file?.close();
    else file?.closeLater();
  }
}

async function makePlan<Plan extends ChangePlan>(
  { missing, nearest, path }: Target,
  file: SandboxFile | undefined,
  request: ChangeRequest<Plan>,
  signal: AbortSignal,
): Promise<Plan> {
  const parents = [...(nearest === "." ? [] : [nearest]), ...missing].join("/");
  const newDirectory = missing.length === 0 ? undefined : parents;
  const read = () => (file === undefined ? Promise.resolve(Buffer.alloc(0)) : readWhole(file, signal));
  const plan = await request.plan({ path, file, newDirectory, read });
  // Windows does not replace a file that is open. Elsewhere it is held: see closeLater.
  if (process.platform === "win32") file?.close();
  return plan;
}

async function readWhole(file: SandboxFile, signal: AbortSignal): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(file.size);
  const pacer = createPacer(signal);
  for (let filled = 0; filled < bytes.length;) {
    const count = file.read(bytes.subarray(filled, filled + CHUNK_BYTES), filled);
    // It was cut off while it was being read.
    if (count === 0) throw new StaleTargetError();
    filled += count;
    if (pacer.due()) await pacer.rest();
  }
  return bytes;
}

async function approve(confirm: Confirm, change: ProposedChange, path: string, signal: AbortSignal): Promise<void> {
  const ask = async (): Promise<unknown> => confirm(change, { signal });
  const answer = await orAborted(
    ask().catch(() => false),
    signal,
  );
  if (answer === true) return;
  throw new ToolError(ErrorCode.ACCESS_DENIED, `The user declined the change to '${echo(path)}'.`, {
    hint: "Nothing was written. Do not repeat it; ask the user what to do instead.",
  });
}

async function put(
  boundary: Boundary,
  { nearest, missing, name }: Target,
  request: Omit<Parameters<typeof putFile>[1], "directory" | "name">,
): Promise<PutResult> {
  const made = makeParents(boundary, nearest, missing);
  const parent = [...(nearest === "." ? [] : [nearest]), ...missing].join("/") || ".";
  try {
    const result = await putFile(boundary, { ...request, directory: boundary.paths.create(parent), name });
    if (request.durable) await flushParents(boundary, made);
    return result;
  } catch (error) {
    removeParents(boundary, made);
    throw error;
  }
}
