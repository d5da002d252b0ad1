import {
  assigned,
  defineTool,
  describeTool,
  type Discount,
  escapeText,
  type Outcome,
  type Tool,
} from "@fstools/protocol";
import type { Attachment } from "./attachment.ts";
import { type Flavour, FLAVOURS, MAX_LINE_LENGTH, MAX_PAGE_BYTES } from "./flavour.ts";
import {
  type Content,
  type DirectoryContent,
  type FileContent,
  formatResult,
  hasMoreEntries,
  lastLine,
} from "./format.ts";
import { DEFAULT_LIMIT, type OpencodeReadParams, readSpec } from "./params.ts";
import { createReader, type OpencodeReadOptions } from "./tool.ts";

/** `data` of the envelope. */
export interface OpencodeReadData {
  /** The whole output, as `execute` would have given it. */
  readonly content: string;
  /** Whether lines or entries, or parts of lines, were left out. */
  readonly truncated: boolean;
  /** Says that bytes that are not UTF-8 are shown as U+FFFD. */
  readonly fallback_encoding?: "replace";
  /** The file itself, where it is an image or a PDF and attachments are on. */
  readonly attachments?: readonly Attachment[];
}

/** What a model or a host knows about the tool before it is called, in its default version. */
export const opencodeReadDefinition = describeTool(readSpec(FLAVOURS["1.2"]));

/**
 * Makes the same tool behind the envelope: it never throws, and what it left out makes its answer partial.
 * @throws Error at once if the project root or the working directory is not usable
 */
export function createOpencodeReadEnvelopeTool(
  options: OpencodeReadOptions,
): Tool<OpencodeReadParams, OpencodeReadData> {
  const { sandbox, flavour, read } = createReader(options);
  return defineTool({
    ...readSpec(flavour),
    cwd: sandbox.cwd.relative,
    siblings: options.siblings,
    onInternalError: options.onInternalError,
    run: async (input, call) => {
      const content = await read(input, call.signal, call);
      return readOutcome(content, flavour);
    },
  });
}

/** Puts what was read into an outcome, from which the envelope is made. */
export function readOutcome(content: Content, flavour: Flavour): Outcome<OpencodeReadData> {
  const { output, attachments } = formatResult(content, flavour);
  const { sentence, discounts, stats } = describeContent(content, flavour);
  return {
    data: {
      content: output,
      truncated: discounts.some(({ label }) => label === "Truncated"),
      ...(content.kind === "file" && content.page.isDamaged ? { fallback_encoding: "replace" } : {}),
      ...(attachments === undefined ? {} : { attachments }),
    },
    summary: (elapsedMs) => [sentence, `(Took ${elapsedMs}ms)`],
    discounts,
    stats,
    pagesItself: true,
  };
}

type Description = Required<Pick<Outcome<OpencodeReadData>, "discounts" | "stats">> & { readonly sentence: string };

function describeContent(content: Content, flavour: Flavour): Description {
  const path = `'${escapeText(content.path.relative)}'`;
  if (content.kind === "file") return describeFile(content, path, flavour);
  if (content.kind === "directory") return describeDirectory(content, path);
  return { sentence: `Attached ${path} as ${content.attachment.mime}.`, discounts: [], stats: {} };
}

function describeFile(content: FileContent, path: string, flavour: Flavour): Description {
  const { first, page, sizeBytes } = content;
  const count = page.lines.length;
  const isTotalKnown = page.end === "file" || (page.end === "limit" && flavour.countsPastLimit);
  return {
    sentence: `Read ${count} lines from ${path}${count === 0 ? "" : ` (Lines ${first}-${lastLine(content)})`}.`,
    discounts: fileDiscounts(content, isTotalKnown),
    stats: {
      lines_read: count,
      ...(isTotalKnown ? { total_lines: page.total } : {}),
      file_size_bytes: sizeBytes,
    },
  };
}

function fileDiscounts(content: FileContent, isTotalKnown: boolean): readonly Discount[] {
  const { first, page } = content;
  const last = lastLine(content);
  const discounts: Discount[] = [];
  if (page.end !== "file") {
    const why = page.end === "bytes" ? ` (output capped at ${MAX_PAGE_BYTES / 1024} KB)` : "";
    const of = isTotalKnown ? ` of ${page.total}` : "";
    const shown = page.lines.length === 0 ? "no lines" : `lines ${first}-${last}`;
    discounts.push(continuation(`Showing ${shown}${of}${why}.`, page.lines.length, last + 1));
  }
  if (page.cutLines > 0) {
    discounts.push({
      label: "Truncated",
      reason: `Lines cut at ${MAX_LINE_LENGTH} characters: ${page.cutLines}.`,
      next: "This tool cannot show the rest of them; use a search tool to find what you expect there.",
    });
  }
  if (page.isDamaged) {
    discounts.push({
      label: "Warning",
      reason: "Not valid UTF-8; bad bytes shown as U+FFFD.",
      next: "Do not write these characters back, as they would replace the file's own bytes.",
    });
  }
  return discounts;
}

function describeDirectory(content: DirectoryContent, path: string): Description {
  const { first, page } = content;
  const count = page.entries.length;
  const more = continuation(`Showing ${count} of ${page.total} entries.`, count, first + count);
  return {
    sentence: `Listed ${count} entries in ${path}.`,
    discounts: hasMoreEntries(content) ? [more] : [],
    stats: { entries_listed: count, total_entries: page.total },
  };
}

function continuation(reason: string, shown: number, offset: number): Discount {
  // After an empty page, which a limit of 0 asks for, the next one would be the same.
  const change = shown === 0 ? { limit: DEFAULT_LIMIT } : { offset };
  return { label: "Truncated", reason, next: `Use ${assigned(change)} to continue.`, change };
}
