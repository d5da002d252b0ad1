import * as protocol from "@fstools/protocol";
import { createFileVersions, createPacer, SandboxError, type SandboxFile, sandboxOf } from "@fstools/sandbox";
import type { SafePath, ToolOptions } from "@fstools/sandbox";
import { heldInMemory, TextError } from "@fstools/text";
import { isBinaryFile, mediaType, readAttachment } from "./attachment.ts";
import { type EntryRequest, readEntries, similarPaths } from "./directory.ts";
import { asReadError, BinaryFileError, explainPathError, OffsetOutOfRangeError, ReadFailedError } from "./errors.ts";
import { FLAVOURS, type OpencodeVersion } from "./flavour.ts";
import { type Content, formatResult, type OpencodeReadData, type OpencodeReadResult, readOutcome } from "./format.ts";
import { type LineRequest, readLines } from "./lines.ts";
import { type OpencodeReadParams, PATH_ALIASES, readSpec } from "./params.ts";

/** Options of both factories. */
export type OpencodeReadOptions = ToolOptions & {
  /** Which opencode the output looks like. @default "1.2" */
  readonly version?: OpencodeVersion;
  /** Whether images and PDF files come back as attachments instead of being refused as binary. @default false */
  readonly attachments?: boolean;
};

/** opencode's read tool: it resolves with opencode's result and throws its errors. */
export interface OpencodeReadTool {
  readonly id: "read";
  /** Written for the model that will call it. */
  readonly description: string;
  readonly parameters: protocol.z.ZodType<OpencodeReadParams>;
  /** JSON Schema for function calling, made from `parameters`. */
  readonly jsonSchema: object;
  /** @throws OpencodeReadError always one of its subclasses */
  execute(params: unknown, options?: protocol.RunOptions): Promise<OpencodeReadResult>;
}

/** Makes opencode's read tool, confined to a project root. @throws Error at once if that or the working directory is not usable */
export function createOpencodeReadTool(options: OpencodeReadOptions): OpencodeReadTool {
  const { flavour, read } = createReader(options);
  const { isLenient: ignoresUnknown } = flavour;
  const spec = readSpec(flavour);
  const parameters = spec.input;
  // Where unknown parameters are ignored, so are other names of known ones, except for a missing path.
  const rules = { ...spec, ignoresUnknown, ...(ignoresUnknown ? { aliases: PATH_ALIASES } : {}) };
  const relevant = (given: protocol.GivenParams): protocol.GivenParams => {
    const { entries = [] } = given;
    const hasPath = entries.some(([name, value]) => name === "filePath" && value !== null);
    if (!ignoresUnknown || !hasPath) return given;
    return { ...given, entries: entries.filter(([name]) => Object.hasOwn(parameters.shape, name)) };
  };
  return {
    id: spec.name,
    description: spec.description,
    parameters,
    jsonSchema: protocol.parametersSchema(parameters),
    async execute(params, callOptions) {
      const signal = callOptions?.signal ?? new AbortController().signal;
      try {
        signal.throwIfAborted();
        const { input } = protocol.parseParams(relevant(protocol.readParams(params)), rules);
        return formatResult(await read(input, signal), flavour);
      } catch (error) {
        const cause = protocol.isConsequenceOfAbort(error, signal) ? protocol.abortedError(signal) : error;
        throw asReadError(protocol.asToolError({ name: "read", onInternalError: options.onInternalError }, cause));
      }
    },
  };
}

/** What a model or a host knows about the tool before it is called, in its default version. */
export const opencodeReadDefinition = protocol.describeTool(readSpec(FLAVOURS["1.2"]));

/** Makes the same tool behind the envelope: it never throws, and is partial where it left something out. @throws Error at once, as above */
export function createOpencodeReadEnvelopeTool(
  options: OpencodeReadOptions,
): protocol.Tool<OpencodeReadParams, OpencodeReadData> {
  const { sandbox, flavour, read } = createReader(options);
  return protocol.defineTool({
    ...readSpec(flavour),
    cwd: sandbox.cwd.relative,
    siblings: options.siblings,
    onInternalError: options.onInternalError,
    run: async (input, call) => readOutcome(await read(input, call.signal, call), flavour),
  });
}

// Up to this size a file is read at once, so that it may be shorter than its size says, as in sysfs.
const SMALL_FILE_BYTES = 65_536;
const SAMPLE_BYTES = 4096;

/** The tool behind both of its faces: it reads, and leaves the words to them. @throws Error at once for unusable options */
export function createReader(options: OpencodeReadOptions) {
  const { version = "1.2", attachments = false, versions = createFileVersions() } = options;
  if (!Object.hasOwn(FLAVOURS, version)) {
    throw new TypeError(`version must be one of ${Object.keys(FLAVOURS).join(", ")}, but is ${version}.`);
  }
  const sandbox = sandboxOf(options);
  const flavour = FLAVOURS[version];

  const readFile = async (file: SandboxFile, request: LineRequest): Promise<Content> => {
    const { path, size: sizeBytes } = file;
    const sample = file.head(SAMPLE_BYTES);
    const mime = attachments || flavour.mediaByExtension ? mediaType(path.relative, sample, flavour) : undefined;
    if (mime !== undefined && attachments) return { kind: "attachment", path, attachment: readAttachment(file, mime) };
    if (mime !== undefined || isBinaryFile(path.relative, sample, flavour)) throw new BinaryFileError(path.absolute);
    const page = await readLines(sizeBytes <= SMALL_FILE_BYTES ? heldInMemory(file) : file, request);
    // An empty file without lines can still be read from its start.
    if (request.offset > Math.max(1, page.total)) throw new OffsetOutOfRangeError(request.offset, page.total);
    return { kind: "file", path, first: request.offset, page, sizeBytes };
  };
  const readPath = async (path: SafePath, request: EntryRequest): Promise<Content> => {
    if (sandbox.kind(path) === "directory") {
      return { kind: "directory", path, first: request.offset, page: await readEntries(sandbox, path, request) };
    }
    const file = sandbox.open(path);
    try {
      const content = await readFile(file, request);
      versions.record(file.path, file.version, "read");
      return content;
    } finally {
      file.close();
    }
  };
  return {
    sandbox,
    flavour,
    /** Rejects with an OpencodeReadError, or with the signal's reason; `call` notes the path at once. */
    read: async (
      { filePath, offset, limit }: OpencodeReadParams,
      signal: AbortSignal,
      call?: Pick<protocol.ToolCall, "note" | "tell">,
    ): Promise<Content> => {
      try {
        const path = await sandbox.resolve(filePath, { from: sandbox.cwd, call });
        const request = { offset: Math.max(1, offset), limit, flavour, signal, pacer: createPacer(signal) };
        const content = await readPath(path, request);
        // A read too short to pause has not looked at the signal.
        signal.throwIfAborted();
        return content;
      } catch (error) {
        if (error instanceof TextError) {
          const message = `'${protocol.echo(filePath)}' changed while it was being read.`;
          const hint = "Call read again to read its new content.";
          throw new ReadFailedError("EXECUTION_ERROR", message, { hint });
        }
        if (!(error instanceof SandboxError)) throw error;
        const isSimilar = flavour.suggestsSimilarNames && error.reason === "missing";
        const similar = isSimilar ? await similarPaths(sandbox, filePath, signal) : undefined;
        throw explainPathError(error, filePath, sandbox, similar);
      }
    },
  };
}
