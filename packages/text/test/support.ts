import type { Buffer } from "node:buffer";
import { createSandbox, type SandboxFile } from "@fstools/sandbox";
import { onTestFinished } from "vitest";
import type { ByteSource } from "../src/bytes/chunks.ts";
import { createTextReader, DEFAULT_SIZES, type ReadSizes, type TextPage } from "../src/text-reader.ts";

/** Opens a file for tests of what lies below the tool. */
export async function openFile(root: string, path: string): Promise<SandboxFile> {
  const sandbox = createSandbox({ projectRoot: root });
  const file = sandbox.open(await sandbox.resolve(path));
  onTestFinished(() => {
    file.close();
  });
  return file;
}

/** A file that counts the bytes read from it. */
export function counted(file: SandboxFile): SandboxFile & { bytesRead(): number } {
  let bytes = 0;
  return {
    ...file,
    head: (length) => {
      const head = file.head(length);
      bytes += head.length;
      return head;
    },
    read: (target, position) => {
      const count = file.read(target, position);
      bytes += count;
      return count;
    },
    bytesRead: () => bytes,
  };
}

/** How much a page of a test holds. */
export const LIMITS = { maxPageBytes: 131072, maxLineChars: 16384, maxDurationMs: 60_000 };

/** Bytes as a file has them. */
export function sourceOf(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    head: (length) => bytes.subarray(0, length),
    read: (target, position) => bytes.copy(target, 0, position),
  };
}

/** Reads a page below the tool, with sizes of the test's choice. */
export function readPage(
  file: SandboxFile,
  page: {
    startLine?: number;
    startColumn?: number;
    limit?: number;
    encoding?: string;
    fallbackEncodings?: string[];
  } = {},
  sizes: Partial<ReadSizes> = {},
): Promise<TextPage> {
  const { startLine = 1, startColumn = 1, limit = 500, encoding, fallbackEncodings = [] } = page;
  return createTextReader({ ...DEFAULT_SIZES, ...sizes }).read(
    file,
    { ...LIMITS, start: { line: startLine, column: startColumn }, limit, encoding, fallbackEncodings },
    new AbortController().signal,
  );
}
