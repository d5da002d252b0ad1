import { Buffer } from "node:buffer";
import { countNewlines, type ToolCall } from "@fstools/protocol";
import { conflict, createDiff, createPacer, isInState, isSameVersion, stateOf } from "@fstools/sandbox";
import type { FilePlan, CurrentFile, FileState, FileVersions, Pacer, SandboxFile } from "@fstools/sandbox";
import { encodeContent, sliceDecoder, toUtf8, withoutMark } from "./content.ts";
import type { WriteReport } from "./format.ts";
import type { WriteParams } from "./params.ts";

/** What the host demands. */
export interface WriteRules {
  readonly versions: FileVersions;
  readonly requireRead: boolean;
}

/** The new file, and what to report about it. */
export interface WritePlan extends FilePlan {
  readonly before: FileState | undefined;
  readonly report: Omit<WriteReport, "written" | "state">;
}

// A larger file is neither compared nor shown, unless it may be the same.
const MAX_COMPARED_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 4;
const SLICE_BYTES = 1024 * 1024;

/** Decides whether a file may be written, and what there will be in it. @throws ToolError CONFLICT */
export async function planWrite(
  current: CurrentFile,
  params: WriteParams,
  expected: FileState | undefined,
  rules: WriteRules,
  call: ToolCall,
): Promise<WritePlan> {
  const { file, path } = current;
  const pacer = createPacer(call.signal);
  const head = file?.head(HEAD_BYTES) ?? Buffer.alloc(0);
  const newText = withoutMark(params.content, head);
  const bytes = encodeContent(newText, head);
  const old = await comparedBytes(current, bytes.length);
  const isUnchanged = file !== undefined && old?.equals(bytes) === true;
  if (!isUnchanged) checkVersion(current, params.path, expected, rules, call);
  const compared = isUnchanged ? { before: old, after: old } : await comparable(file, old, bytes, pacer);
  const diff = await createDiff({ path: path.relative, ...compared }, pacer);
  const operation = file === undefined ? "create" : "update";
  return {
    operation,
    bytes: isUnchanged || params.dry_run ? undefined : bytes,
    diff: () => diff.whole(),
    lines: diff,
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

/** Both files as UTF-8 for a diff; of old content that is large or binary only how much there is. */
async function comparable(file: SandboxFile | undefined, old: Buffer | undefined, bytes: Buffer, pacer: Pacer) {
  const after = toUtf8(bytes) ?? bytes;
  if (file === undefined) return { before: undefined, after };
  const before = old === undefined ? undefined : toUtf8(old);
  if (before !== undefined) return { before, after };
  const why = old === undefined ? "too large to show" : "binary and not shown";
  const remark = `The old file (${file.size} bytes) is ${why}.`;
  return { before: { lines: await countOldLines(file, pacer), remark }, after };
}

/** The lines of a file as a diff counts them: only "\n" ends one. */
async function countOldLines(file: SandboxFile, pacer: Pacer): Promise<number> {
  const decode = sliceDecoder(file.head(HEAD_BYTES));
  const slice = Buffer.allocUnsafe(Math.min(SLICE_BYTES, file.size));
  let lines = 0;
  let isEnded = true;
  for (let at = 0; at < file.size;) {
    const count = file.read(slice, at);
    // It was cut off meanwhile, and will not be replaced.
    if (count === 0) break;
    const text = decode(slice.subarray(0, count));
    lines += countNewlines(text);
    isEnded = text.endsWith("\n");
    at += count;
    if (pacer.due()) await pacer.rest();
  }
  return isEnded ? lines : lines + 1;
}

/** A file is replaced only if the caller knows all of it as it is now: what a search showed is not enough. */
function checkVersion(
  { file, path: resolved }: CurrentFile,
  path: string,
  expected: FileState | undefined,
  { versions, requireRead }: WriteRules,
  call: ToolCall,
): void {
  if (expected !== undefined) {
    if (file === undefined || !isInState(file, expected)) throw conflict(path, call, "modified");
    return;
  }
  if (file === undefined || !requireRead) return;
  const lastRead = versions.lastRead(resolved);
  if (lastRead === undefined) throw conflict(path, call, "unread");
  if (!isSameVersion(lastRead, file.version)) throw conflict(path, call, "modified");
}
