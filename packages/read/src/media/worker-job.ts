import { Buffer } from "node:buffer";
import { memoryUsage } from "node:process";
import { Worker } from "node:worker_threads";
import { echo, ToolError } from "@fstools/protocol";
import type { Pacer, SandboxFile } from "@fstools/sandbox";

/** What is larger is not read at all. */
export const MAX_MEDIA_BYTES = 64 * 1024 * 1024;
const READ_AT_ONCE = 4 * 1024 * 1024;

/** All bytes of a file, in memory that can be given to a worker. */
export async function wholeBytes(file: SandboxFile, pacer: Pacer): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.from(new ArrayBuffer(file.size));
  for (let at = 0; at < bytes.length; at += READ_AT_ONCE) {
    file.read(bytes.subarray(at, at + READ_AT_ONCE), at);
    if (pacer.due()) await pacer.rest();
  }
  return bytes;
}

/** A file that would be shown if it were not for this reason. */
export function notShown({ path }: SandboxFile, reason: string): ToolError {
  return new ToolError("BINARY_FILE", `File '${echo(path.relative)}' appears to be binary.`, { hint: reason });
}

/** How long a job may take, and who hears of it if what it needs is not there. */
export interface JobLimits {
  readonly maxDurationMs: number;
  readonly signal: AbortSignal;
  readonly warn: (missing: string) => void;
}

interface Job extends JobLimits {
  readonly task: "text" | "scale";
  /** The optional package that does it. */
  readonly library: string;
  /** Moved to the worker, so not to be used any more. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly settings: Readonly<Record<string, number>>;
  /** How much larger the process may become. */
  readonly maxBytes: number;
  readonly onMessage: (message: JobMessage) => void;
}

/** A picture that was encoded again. */
export interface Picture {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** What a worker tells: a page of text, if it could be read; why there is none; or a picture. */
type JobMessage =
  { readonly page: number; readonly pages: number; readonly text?: string } | { readonly refused: string } | Picture;

/** How a job ended. */
export type JobEnd = "done" | "out of time" | "out of memory" | "failed" | "missing";

// From the sources as from the built file, which is in a folder beside it. Computed, so that no bundler takes it for its own.
const WORKER = ["..", "media", "worker.js"].join("/");
const HEAP_MIB = 512;
const LOOK_EVERY_MS = 50;

let last: Promise<unknown> = Promise.resolve();

/** Waits for all jobs before it, so that many at once take no more memory than one. */
export function inTurn<Result>(job: () => Promise<Result>): Promise<Result> {
  const mine = last.then(job);
  last = mine.catch(() => undefined);
  return mine;
}

/** Runs a job in a thread of its own, which is gone afterwards. @throws the signal's reason */
export async function runJob(job: Job): Promise<JobEnd> {
  const { task, library, bytes, settings, maxDurationMs, maxBytes, signal, warn, onMessage } = job;
  signal.throwIfAborted();
  const worker = new Worker(new URL(WORKER, import.meta.url), {
    workerData: { ...settings, task, library, bytes },
    transferList: [bytes.buffer],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    // A decoder may complain; nobody listens.
    stdout: true,
    stderr: true,
  });
  const before = memoryUsage.rss();
  const endsAt = performance.now() + maxDurationMs;
  let watch: NodeJS.Timeout | undefined;
  try {
    const end = await new Promise<JobEnd>((resolve) => {
      const look = (): void => {
        if (signal.aborted || performance.now() > endsAt) resolve("out of time");
        // The limits of a worker hold for its objects, not for its bytes.
        else if (memoryUsage.rss() - before > maxBytes) resolve("out of memory");
      };
      const isMissing = (what: string): void => {
        warn(what);
        resolve("missing");
      };
      watch = setInterval(look, LOOK_EVERY_MS);
      worker.on("message", (message: JobMessage | { readonly missing: string }) => {
        if ("missing" in message) isMissing(`the optional package ${message.missing}`);
        else onMessage(message);
      });
      worker.on("error", ({ code = "" }: Error & { readonly code?: string }) => {
        if (code.endsWith("MODULE_NOT_FOUND")) isMissing("its file media/worker.js");
        else resolve(code === "ERR_WORKER_OUT_OF_MEMORY" ? "out of memory" : "failed");
      });
      worker.on("exit", () => {
        resolve("done");
      });
    });
    signal.throwIfAborted();
    return end;
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
