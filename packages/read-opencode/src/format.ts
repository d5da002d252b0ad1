import { escapeText } from "@fstools/protocol";
import type { SafePath } from "@fstools/sandbox";
import type { Attachment } from "./attachment.ts";
import type { EntryPage } from "./directory.ts";
import type { Flavour } from "./flavour.ts";
import type { LinePage } from "./lines.ts";

/** A page of a text file. */
export interface FileContent {
  readonly kind: "file";
  readonly path: SafePath;
  /** The number of the page's first line. */
  readonly first: number;
  readonly page: LinePage;
  readonly sizeBytes: number;
}

/** A page of a directory. */
export interface DirectoryContent {
  readonly kind: "directory";
  readonly path: SafePath;
  /** The number of the page's first entry. */
  readonly first: number;
  readonly page: EntryPage;
}

/** A file that comes back as itself. */
interface AttachedContent {
  readonly kind: "attachment";
  readonly path: SafePath;
  readonly attachment: Attachment;
}

/** What was read, before it is put into words. */
export type Content = FileContent | DirectoryContent | AttachedContent;

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

const PREVIEW_LENGTH = 20;

/** Puts what was read into opencode's words. */
export function formatResult(content: Content, flavour: Flavour): OpencodeReadResult {
  const title = escapeText(content.path.relative);
  const loaded = flavour.hasDisplay ? { loaded: [] } : {};
  if (content.kind === "attachment") {
    const { attachment } = content;
    const output = `${attachment.mime === "application/pdf" ? "PDF" : "Image"} read successfully`;
    return { title, output, metadata: { preview: output, truncated: false, ...loaded }, attachments: [attachment] };
  }
  const isFile = content.kind === "file";
  const shown = isFile ? content.page.lines : content.page.shown;
  const truncated = isFile ? content.page.end !== "file" : hasMoreEntries(content);
  return {
    title,
    output: isFile ? fileOutput(content, flavour) : directoryOutput(content, shown),
    metadata: {
      preview: shown.slice(0, PREVIEW_LENGTH).join("\n"),
      truncated,
      ...loaded,
      ...(flavour.hasDisplay ? { display: display(content, truncated) } : {}),
    },
  };
}

/** The number of a page's last line. */
export function lastLine({ first, page }: FileContent): number {
  return first + page.lines.length - 1;
}

/** Whether entries follow after the page. */
export function hasMoreEntries({ first, page }: DirectoryContent): boolean {
  return first - 1 + page.entries.length < page.total;
}

/** The list of several roots has no absolute path. */
function shownPath({ absolute, relative }: SafePath): string {
  return absolute === "" ? relative : absolute;
}

function fileOutput(content: FileContent, flavour: Flavour): string {
  const { path, first, page } = content;
  return [
    `<path>${escapeText(shownPath(path))}</path>`,
    "<type>file</type>",
    "<content>",
    page.lines.map((line, index) => `${first + index}: ${line}`).join("\n"),
    "",
    flavour.notices[page.end]({ first, last: lastLine(content), total: page.total }),
    "</content>",
  ].join("\n");
}

function directoryOutput(content: DirectoryContent, shown: readonly string[]): string {
  const { path, first, page } = content;
  return [
    `<path>${escapeText(shownPath(path))}</path>`,
    "<type>directory</type>",
    "<entries>",
    shown.join("\n"),
    "",
    hasMoreEntries(content)
      ? `(Showing ${shown.length} of ${page.total} entries. Use 'offset' parameter to read beyond entry ${first + shown.length})`
      : `(${page.total} entries)`,
    "</entries>",
  ].join("\n");
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
