import { assigned, type Discount, escapeText, type Outcome } from "@fstools/protocol";
import type { SafePath } from "@fstools/sandbox";
import type { Attachment } from "./attachment.ts";
import type { EntryPage } from "./directory.ts";
import { type Flavour, MAX_LINE_LENGTH, MAX_PAGE_BYTES } from "./flavour.ts";
import type { LinePage } from "./lines.ts";
import { DEFAULT_LIMIT } from "./params.ts";

/** What was read, before it is put into words; `first` is the number of the page's first line or entry. */
export type Content = { readonly path: SafePath } & (
  | { readonly kind: "file"; readonly first: number; readonly page: LinePage; readonly sizeBytes: number }
  | { readonly kind: "directory"; readonly first: number; readonly page: EntryPage }
  | { readonly kind: "attachment"; readonly attachment: Attachment }
);

export type FileContent = Extract<Content, { readonly kind: "file" }>;

type DirectoryContent = Extract<Content, { readonly kind: "directory" }>;

/** What a page shows, for hosts that render it themselves; names are as the file system gave them. */
export type OpencodeDisplay = ReturnType<typeof display>;

/** What `execute` resolves with, in opencode's shape. */
export interface OpencodeReadResult {
  /** The path relative to the project root; `.` for the root. */
  readonly title: string;
  /** What the model reads. */
  readonly output: string;
  readonly metadata: {
    /** The first 20 lines or entries, without numbers. */
    readonly preview: string;
    /** Whether there is more to read after this page. */
    readonly truncated: boolean;
    /** Instruction files that were loaded with it; none, in 1.18 only. */
    readonly loaded?: readonly string[];
    /** In 1.18 only. */
    readonly display?: OpencodeDisplay;
  };
  /** The file itself, where it is an image or a PDF and attachments are on. */
  readonly attachments?: readonly Attachment[];
}

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

const PREVIEW_LENGTH = 20;

/** Puts what was read into opencode's words. */
export function formatResult(content: Content, { hasDisplay, notices }: Flavour): OpencodeReadResult {
  const title = escapeText(content.path.relative);
  const loaded = hasDisplay ? { loaded: [] } : {};
  if (content.kind === "attachment") {
    const { attachment } = content;
    const output = `${attachment.mime === "application/pdf" ? "PDF" : "Image"} read successfully`;
    return { title, output, metadata: { preview: output, truncated: false, ...loaded }, attachments: [attachment] };
  }
  const { kind, first, page } = content;
  const isFile = kind === "file";
  const shown = isFile ? page.lines : page.shown;
  const truncated = isFile ? page.end !== "file" : hasMoreEntries(content);
  const tag = isFile ? "content" : "entries";
  const output = [
    `<path>${escapeText(shownPath(content.path))}</path>`,
    `<type>${kind}</type>`,
    `<${tag}>`,
    (isFile ? shown.map((line, index) => `${first + index}: ${line}`) : shown).join("\n"),
    "",
    isFile ? notices[page.end]({ first, last: lastLine(content), total: page.total }) : entryNotice(content),
    `</${tag}>`,
  ].join("\n");
  const preview = shown.slice(0, PREVIEW_LENGTH).join("\n");
  const shape = hasDisplay ? { display: display(content, truncated) } : {};
  return { title, output, metadata: { preview, truncated, ...loaded, ...shape } };
}

/** The number of a page's last line. */
export function lastLine({ first, page }: FileContent): number {
  return first + page.lines.length - 1;
}

/** Whether entries follow after the page. */
export function hasMoreEntries({ first, page }: DirectoryContent): boolean {
  return first - 1 + page.entries.length < page.total;
}

function entryNotice(content: DirectoryContent): string {
  const { first, page } = content;
  const { shown, total } = page;
  return hasMoreEntries(content)
    ? `(Showing ${shown.length} of ${total} entries. Use 'offset' parameter to read beyond entry ${first + shown.length})`
    : `(${total} entries)`;
}

/** The list of several roots has no absolute path. */
function shownPath({ absolute, relative }: SafePath): string {
  return absolute === "" ? relative : absolute;
}

function display(content: FileContent | DirectoryContent, truncated: boolean) {
  const path = shownPath(content.path);
  if (content.kind === "directory") {
    const { entries, total: totalEntries } = content.page;
    return { type: content.kind, path, entries, offset: content.first, totalEntries, truncated };
  }
  const { lines, total: totalLines } = content.page;
  const place = { lineStart: content.first, lineEnd: lastLine(content), totalLines };
  return { type: content.kind, path, text: lines.join("\n"), ...place, truncated };
}

/** Puts what was read into an outcome, from which the envelope is made. */
export function readOutcome(content: Content, flavour: Flavour): Outcome<OpencodeReadData> {
  const { output, attachments } = formatResult(content, flavour);
  const { sentence, discounts, stats } = describe(content, flavour);
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

function describe(content: Content, flavour: Flavour) {
  const path = `'${escapeText(content.path.relative)}'`;
  if (content.kind === "attachment") {
    return { sentence: `Attached ${path} as ${content.attachment.mime}.`, discounts: [], stats: {} };
  }
  const { first, page } = content;
  if (content.kind === "file") return describeFile(content, path, flavour);
  const count = content.page.entries.length;
  const more = continuation(`Showing ${count} of ${page.total} entries.`, count, first + count);
  return {
    sentence: `Listed ${count} entries in ${path}.`,
    discounts: hasMoreEntries(content) ? [more] : [],
    stats: { entries_listed: count, total_entries: page.total },
  };
}

function describeFile(content: FileContent, path: string, { countsPastLimit }: Flavour) {
  const { first, page, sizeBytes } = content;
  const [count, last] = [page.lines.length, lastLine(content)];
  const isTotalKnown = page.end === "file" || (page.end === "limit" && countsPastLimit);
  const discounts: Discount[] = [];
  if (page.end !== "file") {
    const why = page.end === "bytes" ? ` (output capped at ${MAX_PAGE_BYTES / 1024} KB)` : "";
    const of = isTotalKnown ? ` of ${page.total}` : "";
    const shown = count === 0 ? "no lines" : `lines ${first}-${last}`;
    discounts.push(continuation(`Showing ${shown}${of}${why}.`, count, last + 1));
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
  return {
    sentence: `Read ${count} lines from ${path}${count === 0 ? "" : ` (Lines ${first}-${last})`}.`,
    discounts,
    stats: { lines_read: count, ...(isTotalKnown ? { total_lines: page.total } : {}), file_size_bytes: sizeBytes },
  };
}

function continuation(reason: string, shown: number, offset: number): Discount {
  // After an empty page, which a limit of 0 asks for, the next one would be the same.
  const change = shown === 0 ? { limit: DEFAULT_LIMIT } : { offset };
  return { label: "Truncated", reason, next: `Use ${assigned(change)} to continue.`, change };
}
