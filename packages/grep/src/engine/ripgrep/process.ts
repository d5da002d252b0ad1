import { spawn, type ChildProcess } from "node:child_process";
import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import { invalidPattern } from "../dialect.ts";
import { EngineError, type Query } from "../hit.ts";

/** Where ripgrep is, and where it runs. */
export interface RipgrepHost {
  /** The binary. */
  readonly command: string;
  /** The directory that it runs in. */
  readonly cwd: string;
  /** Ends every process when it is aborted. */
  readonly signal: AbortSignal;
}

/** Where the standard input of a process comes from: from us, from nowhere, or from an open file. */
export type RipgrepInput = "pipe" | "ignore" | number;

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  /** The first few thousand characters of its complaints. */
  readonly complaint: string;
  /** How often it said that something could not be read. */
  readonly complaints: number;
}

/** A running ripgrep. */
export interface RipgrepProcess {
  /** What it prints; also ends when it is killed. Throws an EngineError if there is no process. */
  output(): AsyncIterable<Buffer>;
  /** Writes and waits until the system has taken it; false once the process takes nothing more. */
  write(bytes: Buffer): Promise<boolean>;
  /** No more input will come. */
  finish(): void;
  /** Waits for its end; rejects with an EngineError if it could not be started. */
  ended(): Promise<ProcessEnd>;
  kill(): void;
}

const MAX_COMPLAINT_CHARS = 8192;

/** The arguments that every call of ripgrep begins with: its own configuration must not matter. */
export function baseArguments(query: Query): string[] {
  return [
    "--no-config",
    "--color=never",
    "--text",
    "--crlf",
    query.isCaseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(query.isWhole ? ["--multiline"] : []),
    ...(query.isMultiline ? ["--multiline-dotall"] : []),
  ];
}

/** The arguments for what to look for, as data whatever it begins with. */
export function patternArgument(pattern: string): string {
  // A plain line break would make it two patterns.
  return `--regexp=${pattern.replaceAll("\n", "\\n")}`;
}

/**
 * Starts ripgrep with a list of arguments, no shell, and next to no environment. Never throws: whoever reads from it or
 * waits for it learns that it could not be started.
 */
export function startRipgrep(host: RipgrepHost, args: readonly string[], input: RipgrepInput): RipgrepProcess {
  let child: ChildProcess;
  try {
    child = start(host, args, input);
  } catch (error) {
    // Node reports some failures later, and throws others at once, such as no memory or a path through a file.
    return notStarted(startFailure(error));
  }
  return attend(child, host.signal);
}

function notStarted(failure: EngineError): RipgrepProcess {
  const fail = () => Promise.reject(failure);
  return {
    output: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
    write: () => Promise.resolve(false),
    finish: noop,
    ended: fail,
    kill: noop,
  };
}

function attend(child: ChildProcess, signal: AbortSignal): RipgrepProcess {
  let complaint = "";
  let complaints = 0;
  let isKilled = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints += text.split("\nrg: ").length - (text.startsWith("rg: ") ? 0 : 1);
    if (complaint.length < MAX_COMPLAINT_CHARS) complaint += text.slice(0, MAX_COMPLAINT_CHARS);
  });
  const end = new Promise<ProcessEnd>((resolve, reject) => {
    child.once("error", (error) => {
      reject(startFailure(error));
    });
    child.once("close", (code) => {
      resolve({ code, complaint, complaints });
    });
  });
  // A caller that waits gets the error; one that does not must not crash the process.
  const settled = end.then(noop, noop);
  const kill = (): void => {
    if (isKilled) return;
    isKilled = true;
    // One that could not be started, as no descriptor was left, has the number 0: killing that would kill all of us.
    if (child.pid !== undefined && child.pid > 0) child.kill("SIGKILL");
    // Otherwise a process that it started could hold them open.
    for (const stream of streamsOf(child)) stream?.destroy();
  };
  signal.addEventListener("abort", kill, { once: true });
  void settled.then(() => {
    signal.removeEventListener("abort", kill);
  });
  if (signal.aborted) kill();
  // It may end before it has read everything, which the write itself reports.
  child.stdin?.on("error", noop);
  return {
    output: async function* () {
      try {
        for await (const chunk of stdoutOf(child)) {
          if (!Buffer.isBuffer(chunk)) throw new EngineError("rg_failed");
          yield chunk;
        }
      } catch (error) {
        // Output that the kill cut off is not needed.
        if (!isKilled) throw error instanceof EngineError ? error : new EngineError("rg_failed", error);
      }
    },
    write: (bytes) => write(child.stdin, bytes),
    finish: () => {
      child.stdin?.end();
    },
    ended: () => end,
    kill,
  };
}

function noop(): void {
  // Nothing to do.
}

function start(host: RipgrepHost, args: readonly string[], input: RipgrepInput): ChildProcess {
  const { PATH, SystemRoot } = process.env;
  return spawn(host.command, args, {
    cwd: host.cwd,
    env: { ...(PATH === undefined ? {} : { PATH }), ...(SystemRoot === undefined ? {} : { SystemRoot }) },
    stdio: [input, "pipe", "pipe"],
    shell: false,
    windowsHide: true,
  });
}

function streamsOf({ stdin, stdout, stderr }: ChildProcess): (Readable | Writable | null | undefined)[] {
  return [stdin, stdout, stderr];
}

/** Missing, whatever its type says, where the process could not be started. */
function stdoutOf(child: { readonly stdout?: Readable | null }): Readable {
  if (child.stdout === null || child.stdout === undefined) throw new EngineError("rg_failed");
  return child.stdout;
}

function write(stdin: Writable | null | undefined, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (stdin?.writable !== true) {
      resolve(false);
      return;
    }
    // A process that is killed never takes what is left, and Node does not always say so.
    const onClose = (): void => {
      resolve(false);
    };
    stdin.once("close", onClose);
    stdin.write(bytes, (error) => {
      stdin.removeListener("close", onClose);
      resolve(error === null || error === undefined);
    });
  });
}

function startFailure(error: unknown): EngineError {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  return new EngineError(isMissing ? "rg_not_found" : "rg_failed", error);
}

/** @throws ToolError INVALID_PARAM, EngineError, or the signal's reason */
export function expectSuccess(end: ProcessEnd, query: Query, signal: AbortSignal): void {
  if (!isSuccess(end, query, signal)) throw new EngineError("rg_failed", end.complaint);
}

/** @throws ToolError INVALID_PARAM, or the signal's reason */
export function isSuccess({ code, complaint }: ProcessEnd, query: Query, signal: AbortSignal): boolean {
  signal.throwIfAborted();
  // 0: something was found, 1: nothing.
  if (code === 0 || code === 1) return true;
  const details = patternComplaint(complaint);
  if (details !== undefined) throw invalidPattern(query.pattern, details);
  return false;
}

// What ripgrep 15 says of a pattern, before it looks at any file; the name of a file may say anything. If it says
// something else of one, the other engine does too.
const PATTERN_COMPLAINT =
  /^rg: (?:regex parse error:\n|the literal .* is not allowed in a regex\n|compiled regex exceeds size limit)/u;

/** What ripgrep says about a pattern; undefined if it complains about something else. */
export function patternComplaint(complaint: string): string | undefined {
  if (!PATTERN_COMPLAINT.test(complaint)) return undefined;
  const error = /^error: (?<details>.+)$/mu.exec(complaint)?.groups?.details;
  return error ?? /^rg: (?<details>.+)$/mu.exec(complaint)?.groups?.details;
}
