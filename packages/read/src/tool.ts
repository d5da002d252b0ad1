import { once, type Tool } from "@fstools/protocol";
import { assertLimit, createFileVersions, defineFileTool, isSameVersion } from "@fstools/sandbox";
import type { SandboxFile, ToolOptions } from "@fstools/sandbox";
import { createTextReader, fileKind, isKnownEncoding, isUtf8Name, TextError } from "@fstools/text";
import { READ_DESCRIPTION } from "./description.ts";
import { type ReadData, readOutcome, readPathWords, wordTextError, type ReadStats } from "./format.ts";
import { readAliases, readNotParameters, type ReadParams, readParams, type ReadInput } from "./params.ts";

/** What a host may set. */
export type ReadToolOptions = ToolOptions & {
  /** The most bytes (UTF-8) of `data.content`. @default 131072 */
  readonly maxPageBytes?: number;
  /** The most characters shown of one line; the rest is on the next page. @default 2000; 16384 with `start_column` > 1 */
  readonly maxLineChars?: number;
  /** The most time that counting the lines of a big file may take. @default 10000 */
  readonly maxDurationMs?: number;
  /** Encodings tried in this order on files that are not UTF-8; the first that decodes without U+FFFD is used. @default [] */
  readonly fallbackEncodings?: readonly string[];
  /**
   * What is shown although it is not text: pictures (PNG, JPEG, GIF, WebP), as themselves, and the text of PDF files. Large
   * pictures need the optional package `@silvia-odwyer/photon-node`, PDF files `unpdf`.
   * @default [] (both are BINARY_FILE)
   */
  readonly media?: readonly ("image" | "pdf")[];
};

const read = defineFileTool({
  name: "Read",
  title: "Read file",
  description: READ_DESCRIPTION,
  params: readParams,
  aliases: readAliases,
  notParameters: readNotParameters,
  words: readPathWords,
});

/** Read's name, description and parameters, without a project. */
export const readDefinition = read.definition;

// Long enough for the bytes that tell a picture or a PDF.
const KIND_BYTES = 16;
const SHOWN_KINDS = ["PNG", "JPEG", "GIF", "WebP", "PDF"] as const;
const MAX_LINE_CHARS = 2000;
const MAX_CONTINUED_LINE_CHARS = 16384;

/** Makes the Read tool for one project. @throws Error if `projectRoot`, `workingDir`, a limit or an encoding is unusable */
export function createReadTool(options: ReadToolOptions): Tool<ReadParams, ReadData, ReadInput, ReadStats> {
  const { versions = createFileVersions() } = options;
  const { maxLineChars, ...limits } = checkLimits(options);
  const reader = createTextReader();
  const shownKind = createKindTest(options);
  const told = new Set<string>();
  const jobLimits = (lost: string, signal: AbortSignal) => ({
    maxDurationMs: limits.maxDurationMs,
    signal,
    warn: (missing: string) => {
      if (!told.has(missing))
        options.onWarning?.(`Read cannot ${lost}, since ${missing} is missing.`, { tool: "Read" });
      told.add(missing);
    },
  });
  const pdfs = once(async () => (await import("./media/pdf.ts")).createPdfReader(reader));
  return read.create(options, (sandbox) => ({
    explain: (error, input) => (error instanceof TextError ? wordTextError(error, input, limits) : error),
    run: async ({ path, start_line, start_column, limit, encoding }, call) => {
      const file = await sandbox.resolveFile(path, { from: sandbox.root, orFrom: sandbox.cwd, call });
      try {
        const kind = encoding === undefined ? shownKind(file) : undefined;
        if (kind !== undefined && kind !== "PDF") {
          const { readImage } = await import("./media/image.ts");
          return await readImage(file, kind, jobLimits("make large pictures smaller", call.signal));
        }
        const start = { line: start_line, column: start_column };
        const defaultLineChars = start_column > 1 ? MAX_CONTINUED_LINE_CHARS : MAX_LINE_CHARS;
        const request = { ...limits, start, limit, encoding, maxLineChars: maxLineChars ?? defaultLineChars };
        const { page, pages } =
          kind === undefined
            ? { page: await reader.read(file, request, call.signal) }
            : await (await pdfs()).read(file, request, jobLimits("show the text of PDF files", call.signal));
        const earlier = versions.lastRead(file.path);
        // Who has read the text of a PDF knows nothing of its bytes.
        if (pages === undefined) versions.record(file.path, file.version, "read");
        const isModified = earlier !== undefined && !isSameVersion(earlier, file.version);
        const { mtimeMs } = file;
        const hasGrep = call.has("Grep");
        return readOutcome({ ...limits, page, pages, path: file.path.relative, start, mtimeMs, isModified, hasGrep });
      } finally {
        file.close();
      }
    },
  }));
}

/** What a file is, if it is to be shown as that. */
function createKindTest({ media = [] }: ReadToolOptions) {
  const unknown = [...new Set<string>(media)].find((one) => !["image", "pdf"].includes(one));
  if (unknown !== undefined) throw new TypeError(`media may hold "image" and "pdf", but not '${unknown}'.`);
  return (file: SandboxFile) => {
    // "a PNG image", "a PDF document"
    const [, name] = (media.length === 0 ? undefined : fileKind(file.head(KIND_BYTES)))?.split(" ") ?? [];
    const kind = SHOWN_KINDS.find((shown) => shown === name);
    return kind !== undefined && media.includes(kind === "PDF" ? "pdf" : "image") ? kind : undefined;
  };
}

function checkLimits(limits: ReadToolOptions) {
  const { maxPageBytes = 131072, maxLineChars, maxDurationMs = 10_000, fallbackEncodings = [] } = limits;
  assertLimit("maxPageBytes", maxPageBytes, 1);
  if (maxLineChars !== undefined) assertLimit("maxLineChars", maxLineChars, 1);
  assertLimit("maxDurationMs", maxDurationMs);
  const names: unknown = fallbackEncodings;
  if (!Array.isArray(names) || names.some((name) => typeof name !== "string")) {
    throw new TypeError("fallbackEncodings must be a list of encodings.");
  }
  const unknown = fallbackEncodings.find((name) => !isKnownEncoding(name));
  if (unknown !== undefined) {
    throw new RangeError(`fallbackEncodings: '${unknown}' is not a known encoding, such as gb18030 or windows-1252.`);
  }
  const others = fallbackEncodings.filter((name) => !isUtf8Name(name));
  return { maxPageBytes, maxLineChars, maxDurationMs, fallbackEncodings: others };
}
