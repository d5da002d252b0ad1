import { spawn, type ChildProcess } from "node:child_process";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isRecord, once as memoize } from "@fstools/protocol";
import { SandboxError } from "@fstools/sandbox";
import { EngineError } from "../engine.ts";
import { invalidPattern, type Query } from "../query.ts";

/** Where ripgrep is, and where it runs. */
export interface RipgrepHost {
  readonly command: string;
  /** @default that of this process */
  readonly cwd?: string;
  /** Ends every process when it is aborted. */
  readonly signal: AbortSignal;
}

/** What a process reads besides what its arguments name. */
export interface RipgrepInput {
  /** What it reads from its standard input. */
  readonly pieces?: Iterable<Buffer>;
  /** Open files that it inherits; the first one is number 3 there. */
  readonly descriptors?: readonly number[];
}

type ProcessEnd = Awaited<ReturnType<ReturnType<typeof startRipgrep>["ended"]>>;

// Computed, so that no bundler takes the program inside for a source.
const RIPGREP = ["@vscode", "ripgrep"].join("/");

/** The binary in `@vscode/ripgrep` for this platform; undefined if the package or its binary is missing. */
export const bundledRipgrep = memoize(() =>
  // Imported on use: it throws where its package for the platform is missing.
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ RIPGREP).then(
    (loaded: unknown) => (isRecord(loaded) && typeof loaded.rgPath === "string" ? loaded.rgPath : undefined),
    () => undefined,
  ),
);

/** The arguments for what to look for: ripgrep's own configuration must not matter, and a pattern is data. */
export function queryArguments({ pattern, isCaseSensitive, isWhole, isMultiline }: Query): string[] {
  return [
    ...["--no-config", "--color=never", "--text", "--crlf"],
    isCaseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(isWhole ? ["--multiline"] : []),
    ...(isMultiline ? ["--multiline-dotall"] : []),
    // A plain line break would make it two patterns.
    `--regexp=${pattern.replaceAll("\n", "\\n")}`,
  ];
}

const MAX_COMPLAINT_CHARS = 8192;

/** Starts ripgrep without a shell, and with next to no environment. @throws EngineError, at once or when its end is awaited */
export function startRipgrep({ command, cwd, signal }: RipgrepHost, args: readonly string[], input: RipgrepInput = {}) {
  const { PATH, SystemRoot } = process.env;
  const { pieces, descriptors = [] } = input;
  let child: ChildProcess;
  try {
    child = spawn(command, args, {
      cwd,
      env: { PATH, SystemRoot },
      stdio: [pieces === undefined ? "ignore" : "pipe", "pipe", "pipe", ...descriptors],
      shell: false,
      windowsHide: true,
    });
  } catch (error) {
    throw startFailure(error);
  }
  // Missing, whatever their types say, where no process could be started.
  const { stdin, stdout, stderr }: Partial<Pick<ChildProcess, "stdin" | "stdout" | "stderr">> = child;
  let complaint = "";
  let complaints = 0;
  let isKilled = false;
  stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints += text.split("\nrg: ").length - (text.startsWith("rg: ") ? 0 : 1);
    if (complaint.length < MAX_COMPLAINT_CHARS) complaint += text.slice(0, MAX_COMPLAINT_CHARS);
  });
  const kill = (): void => {
    if (isKilled) return;
    isKilled = true;
    // One that could not be started, as no descriptor was left, has the number 0: killing that would kill all of us.
    if (child.pid !== undefined && child.pid > 0) child.kill("SIGKILL");
    // Otherwise a process that it started could hold them open.
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
  };
  const ended: Promise<unknown[]> = once(child, "close")
    .catch((error: unknown) => Promise.reject(startFailure(error)))
    .finally(() => {
      signal.removeEventListener("abort", kill);
    });
  // A caller that waits gets the error; one that does not must not crash the process.
  ended.catch(() => undefined);
  signal.addEventListener("abort", kill);
  if (signal.aborted) kill();
  let failure: SandboxError | undefined;
  const fed = stdin && pipeline(Readable.from(pieces ?? [], { highWaterMark: 1 }), stdin);
  const hasTaken = fed?.catch((error: unknown) => {
    // That the process takes no more is told by its end.
    if (!(error instanceof SandboxError)) return;
    failure = error;
    kill();
  });

  return {
    /** What it prints; also ends when it is killed. */
    output: async function* (): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of stdout ?? []) {
          if (!Buffer.isBuffer(chunk)) throw new EngineError("rg_failed");
          yield chunk;
        }
      } catch (error) {
        // Output that the kill cut off is not needed.
        if (!isKilled) throw error instanceof EngineError ? error : new EngineError("rg_failed", error);
      }
    },
    /** Its first complaints, and their number. @throws EngineError if it could not be started, SandboxError of its input */
    ended: async () => {
      await hasTaken;
      if (failure !== undefined) throw failure;
      const [code] = await ended;
      return { code, complaint, complaints };
    },
    kill,
  };
}

function startFailure(error: unknown): EngineError {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  return new EngineError(isMissing ? "rg_not_found" : "rg_failed", error);
}

// What ripgrep 15 says of a pattern, before it looks at any file; the name of a file may say anything. If it says
// something else of one, the other engine does too.
const PATTERN_COMPLAINT =
  /^rg: (?:regex parse error:\n|the literal .* is not allowed in a regex\n|compiled regex exceeds size limit)/u;

/** @throws ToolError INVALID_PARAM for an invalid pattern, else EngineError */
export function expectSuccess({ code, complaint }: ProcessEnd, { pattern }: Query): void {
  // 0: something was found, 1: nothing.
  if (code === 0 || code === 1) return;
  const [, details] = /^error: (.+)$/mu.exec(complaint) ?? /^rg: (.+)$/mu.exec(complaint) ?? [];
  const isAboutPattern = PATTERN_COMPLAINT.test(complaint) && details !== undefined;
  throw isAboutPattern ? invalidPattern(pattern, details) : new EngineError("rg_failed", complaint);
}
