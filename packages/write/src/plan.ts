import { Buffer } from "node:buffer";
import type { ToolCall } from "@fstools/protocol";
import {
  type ChangePlan,
  conflict,
  createDiff,
  createPacer,
  type CurrentFile,
  type FileState,
  type FileVersions,
  isInState,
  isSameVersion,
  stateOf,
} from "@fstools/sandbox";
import { decodeContent, encodeContent } from "./content.ts";
import type { WriteReport } from "./format.ts";
import type { WriteParams } from "./params.ts";

/** What the host demands. */
export interface WriteRules {
  readonly versions: FileVersions;
  readonly requireRead: boolean;
}

/** The new file, and what to report about it. */
export interface WritePlan extends ChangePlan {
  readonly before: FileState | undefined;
  readonly report: Omit<WriteReport, "written" | "state">;
}

// A larger file is replaced without a comparison, unless it may be the same.
const MAX_COMPARED_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 4;

/**
 * Decides whether a file may be written, and what there will be in it.
 * @throws ToolError CONFLICT
 */
export async function planWrite(
  current: CurrentFile,
  params: WriteParams,
  expected: FileState | undefined,
  rules: WriteRules,
  call: ToolCall,
): Promise<WritePlan> {
  const { file, path } = current;
  const bytes = encodeContent(params.content, file?.head(HEAD_BYTES) ?? Buffer.alloc(0));
  const old = await comparedBytes(current, bytes.length);
  const isUnchanged = file !== undefined && old?.equals(bytes) === true;
  if (!isUnchanged) checkVersion(current, params.path, expected, rules, call);
  const oldText = old === undefined ? "" : (decodeContent(old) ?? "");
  const regions = isUnchanged ? [] : [{ oldLine: 1, newLine: 1, oldText, newText: params.content }];
  const diff = await createDiff(path.relative, regions, createPacer(call.signal), file === undefined);
  const operation = file === undefined ? "create" : "update";
  return {
    operation,
    bytes: isUnchanged || params.dry_run ? undefined : bytes,
    diff: () => diff.whole(),
    before: file === undefined ? undefined : stateOf(file.version),
    report: {
      path: path.relative,
      params,
      operation,
      diff,
      isUnchanged,
      newDirectory: current.newDirectory,
      originalSize: file?.size ?? 0,
      newSize: bytes.length,
    },
  };
}

/** The old content; undefined if it is not worth reading. */
async function comparedBytes(current: CurrentFile, newSize: number): Promise<Buffer | undefined> {
  const { file } = current;
  return file === undefined || file.size <= MAX_COMPARED_BYTES || file.size === newSize ? current.read() : undefined;
}

/** A file is replaced only if the caller knows all of it as it is now: what a search showed is not enough. */
function checkVersion(
  { file, path: resolved }: CurrentFile,
  path: string,
  expected: FileState | undefined,
  { versions, requireRead }: WriteRules,
  call: ToolCall,
): void {
  const named = { path, reader: "Read" };
  if (expected !== undefined) {
    if (file === undefined || !isInState(file, expected)) throw conflict(named, call, "modified");
    return;
  }
  if (file === undefined || !requireRead) return;
  const lastRead = versions.lastRead(resolved);
  if (lastRead === undefined) throw conflict(named, call, "unread");
  if (!isSameVersion(lastRead, file.version)) throw conflict(named, call, "modified");
}
