import {
  createPacer,
  type Pacer,
  type SafePath,
  type Sandbox,
  SandboxError,
  sandboxOf,
  type SandboxFile,
  type ToolOptions,
} from "@fstools/sandbox";
import { attachmentKind, readAttachment } from "./attachment.ts";
import { hasBinaryExtension, looksBinary } from "./binary.ts";
import { readChunks } from "./chunks.ts";
import type { Content } from "./content.ts";
import { readEntries } from "./directory.ts";
import { BinaryFileError, OffsetOutOfRangeError } from "./errors.ts";
import { type Flavour, FLAVOURS, type OpencodeVersion } from "./flavour.ts";
import { SAMPLE_BYTES } from "./limits.ts";
import { readLines } from "./lines.ts";
import type { OpencodeReadParams } from "./params.ts";
import { explainPathError } from "./path-errors.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Options of both factories. */
export type OpencodeReadOptions = ToolOptions & {
  /**
   * Which opencode the output looks like.
   * @default "1.2"
   */
  readonly version?: OpencodeVersion;
  /**
   * Whether images and PDF files come back as attachments instead of being refused as binary.
   * @default false
   */
  readonly attachments?: boolean;
};

/** A call's checked parameters, and what goes with them. */
interface ReadCall {
  readonly input: OpencodeReadParams;
  readonly signal: AbortSignal;
  /** Hears of the path as soon as it is known. */
  readonly onResolved?: (path: SafePath) => void;
}

/** The tool behind both of its faces: it reads, and leaves the words to them. */
export interface Reader {
  readonly sandbox: Sandbox;
  readonly flavour: Flavour;
  /** Rejects with an OpencodeReadError, or with the signal's reason. */
  readonly read: (call: ReadCall) => Promise<Content>;
}

/** @throws Error at once if the project root or the working directory is not usable, or the version unknown */
export function createReader(options: OpencodeReadOptions): Reader {
  const { version = "1.2", attachments = false } = options;
  if (!Object.hasOwn(FLAVOURS, version)) {
    throw new TypeError(`version must be one of ${Object.keys(FLAVOURS).join(", ")}, but is ${version}.`);
  }
  const sandbox = sandboxOf(options);
  const flavour = FLAVOURS[version];
  return {
    sandbox,
    flavour,
    read: async ({ input, signal, onResolved }) => {
      const { limit } = input;
      const offset = Math.max(1, input.offset);
      const request = { offset, limit, flavour, attachments, signal, pacer: createPacer(signal) };
      try {
        const path = await sandbox.resolve(input.filePath, { from: sandbox.cwd });
        onResolved?.(path);
        const isDirectory = sandbox.kind(path) === "directory";
        const content = await (isDirectory ? readDirectory : readFile)(sandbox, path, request);
        // A read too short to give way meanwhile has not looked at the signal.
        signal.throwIfAborted();
        return content;
      } catch (error) {
        throw error instanceof SandboxError ? explainPathError(error, input.filePath, sandbox) : error;
      }
    },
  };
}

interface ReadRequest {
  readonly offset: number;
  readonly limit: number;
  readonly flavour: Flavour;
  readonly attachments: boolean;
  readonly signal: AbortSignal;
  readonly pacer: Pacer;
}

async function readDirectory(sandbox: Sandbox, path: SafePath, request: ReadRequest): Promise<Content> {
  return { kind: "directory", path, first: request.offset, page: await readEntries(sandbox, path, request) };
}

async function readFile(sandbox: Sandbox, path: SafePath, request: ReadRequest): Promise<Content> {
  const file = sandbox.open(path);
  try {
    return await readOpenFile(file, request);
  } finally {
    file.close();
  }
}

async function readOpenFile(file: SandboxFile, request: ReadRequest): Promise<Content> {
  const { path, size: sizeBytes } = file;
  const { offset, flavour, attachments, pacer } = request;
  const sample = readSample(file);
  const kind = attachments ? attachmentKind(sample) : undefined;
  if (kind !== undefined) {
    const attachment = await readAttachment(file, kind, pacer);
    return { kind: "attachment", path, attachment, message: `${kind.label} read successfully` };
  }
  if (hasBinaryExtension(path.relative, flavour) || looksBinary(sample)) throw new BinaryFileError(path.absolute);
  const page = await readLines(readChunks(file, byteOrderMarkLength(sample), pacer), request);
  // An empty file without lines can still be read from its start.
  if (offset > Math.max(1, page.total)) throw new OffsetOutOfRangeError(offset, page.total);
  return { kind: "file", path, first: offset, page, sizeBytes };
}

function readSample(file: SandboxFile): Uint8Array {
  const sample = new Uint8Array(Math.min(file.size, SAMPLE_BYTES));
  return sample.subarray(0, file.read(sample, 0));
}

function byteOrderMarkLength(sample: Uint8Array): number {
  return BYTE_ORDER_MARK.every((byte, index) => sample[index] === byte) ? BYTE_ORDER_MARK.length : 0;
}
