import { Buffer } from "node:buffer";
import { ToolError } from "@fstools/protocol";
import { createPacer, createRecentMap, type SandboxFile } from "@fstools/sandbox";
import { heldInMemory, type ReadRequest, TextError, type TextReader } from "@fstools/text";
import { inTurn, type JobLimits, MAX_MEDIA_BYTES, notShown, runJob, wholeBytes } from "./worker-job.ts";

interface Extracted {
  readonly text: Buffer;
  readonly done: number;
  readonly pages: number;
}

const MAX_FILES = 4;
const MAX_TEXT_CHARS = 16 * 1024 * 1024;
const MAX_EXTRACTION_BYTES = 512 * 1024 * 1024;
// A write right after this one may leave the size and the time of change the same.
const SETTLED_AFTER_MS = 2000;

/** Reads the text of PDF files, page by page, and keeps it for later calls; `reader` makes pages of it. */
export function createPdfReader(reader: TextReader) {
  const kept = createRecentMap<Extracted>(MAX_FILES);

  const extracted = async (file: SandboxFile, limits: JobLimits): Promise<Extracted> => {
    const key = Object.values(file.version).join(":");
    const isSettled = Date.now() - file.mtimeMs >= SETTLED_AFTER_MS;
    const earlier = kept.get(key);
    if (earlier !== undefined && earlier.done === earlier.pages) return earlier;
    const all = await extractFrom(file, earlier, limits);
    if (isSettled) kept.set(key, all);
    return all;
  };

  return {
    /** @throws ToolError BINARY_FILE with the reason, or TIMEOUT; TextError */
    read: async (file: SandboxFile, request: ReadRequest, limits: JobLimits) => {
      const { text, done, pages } = await inTurn(() => extracted(file, limits));
      const held = heldInMemory({ size: text.length, head: () => text, read: () => 0 });
      const version = { ...file.version, size: BigInt(text.length) };
      const isWhole = done === pages;
      try {
        // Its encoding is named, as the text may hold what is found in binary files only.
        const page = await reader.read({ ...file, ...held, version }, { ...request, encoding: "utf-8" }, limits.signal);
        const { totalLines = 0, next = { line: totalLines + 1, column: 1 } } = page;
        const more = isWhole ? {} : { next, totalLines: undefined };
        return { page: { ...page, ...more, encoding: "pdf", sizeBytes: file.size }, pages };
      } catch (error) {
        if (isWhole || !(error instanceof TextError) || error.problem.reason !== "line_past_end") throw error;
        throw new TextError({ reason: "too_slow", scannedLine: error.problem.totalLines, scannedColumn: 1 });
      }
    },
  };
}

/** Extracts the pages that are still missing, as far as there is time. */
async function extractFrom(file: SandboxFile, earlier: Extracted | undefined, limits: JobLimits): Promise<Extracted> {
  if (file.size > MAX_MEDIA_BYTES) throw refused(file, `too large to read (over ${MAX_MEDIA_BYTES} bytes)`);
  let { done = 0, pages = 0 } = earlier ?? {};
  let added = "";
  let refusal: string | undefined;
  const end = await runJob({
    ...limits,
    task: "text",
    library: "unpdf",
    bytes: await wholeBytes(file, createPacer(limits.signal)),
    settings: { from: done + 1 },
    maxBytes: MAX_EXTRACTION_BYTES,
    onMessage: (message) => {
      if ("refused" in message) refusal = message.refused;
      if (!("page" in message) || added.length > MAX_TEXT_CHARS) return;
      ({ page: done, pages } = message);
      added += `--- Page ${done} of ${pages} ---\n${pageText(message.text)}\n`;
    },
  });
  const text = Buffer.concat([earlier?.text ?? Buffer.alloc(0), Buffer.from(added)]);
  if (end === "missing") throw notShown(file, "It is a PDF document.");
  if (end === "out of memory") throw refused(file, "too large to read (it needs too much memory)");
  if (text.length > MAX_TEXT_CHARS) throw refused(file, "too large to read (it has too much text)");
  if (refusal !== undefined || end === "failed") throw refused(file, refusal ?? "broken");
  if (done === 0 && end === "done") throw refused(file, "without pages");
  if (done === 0) {
    throw new ToolError("TIMEOUT", `Read timed out (>${limits.maxDurationMs / 1000}s) before line 1.`, {
      hint: "The first page of this PDF document takes too long to read.",
    });
  }
  return { text, done, pages };
}

function pageText(text: string | undefined): string {
  if (text === undefined) return "(this page cannot be read)";
  return text.trimEnd() === "" ? "(no text on this page)" : text.trimEnd();
}

function refused(file: SandboxFile, what: string): ToolError {
  return notShown(file, `It is a PDF document, but ${what}.`);
}
