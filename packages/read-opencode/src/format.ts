import { escapeText } from "@fstools/protocol";
import type { Attachment } from "./attachment.ts";
import type { Content, DirectoryContent, FileContent } from "./content.ts";
import type { Flavour } from "./flavour.ts";
import { PREVIEW_LENGTH } from "./limits.ts";

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
  };
  /** The file itself, where it is an image or a PDF and attachments are on. */
  readonly attachments?: readonly Attachment[];
}

/** Puts what was read into opencode's words. */
export function formatResult(content: Content, flavour: Flavour): OpencodeReadResult {
  const title = escapeText(content.path.relative);
  switch (content.kind) {
    case "file": {
      const { lines, end } = content.page;
      return {
        title,
        output: fileOutput(content, flavour),
        metadata: { preview: preview(lines), truncated: end !== "file" },
      };
    }
    case "directory": {
      const { entries } = content.page;
      return {
        title,
        output: directoryOutput(content),
        metadata: { preview: preview(entries), truncated: hasMoreEntries(content) },
      };
    }
    case "attachment": {
      const { message, attachment } = content;
      return { title, output: message, metadata: { preview: message, truncated: false }, attachments: [attachment] };
    }
  }
}

/** The number of a page's last line. */
export function lastLine({ first, page }: FileContent): number {
  return first + page.lines.length - 1;
}

/** Whether entries follow after the page. */
export function hasMoreEntries({ first, page }: DirectoryContent): boolean {
  return first - 1 + page.entries.length < page.total;
}

function fileOutput(content: FileContent, flavour: Flavour): string {
  const { path, first, page } = content;
  return [
    `<path>${escapeText(path.absolute)}</path>`,
    "<type>file</type>",
    "<content>",
    page.lines.map((line, index) => `${first + index}: ${line}`).join("\n"),
    "",
    flavour.notices[page.end]({ first, last: lastLine(content), total: page.total }),
    "</content>",
  ].join("\n");
}

function directoryOutput(content: DirectoryContent): string {
  const { path, first, page } = content;
  const { entries, total } = page;
  return [
    `<path>${escapeText(path.absolute)}</path>`,
    "<type>directory</type>",
    "<entries>",
    entries.join("\n"),
    "",
    hasMoreEntries(content)
      ? `(Showing ${entries.length} of ${total} entries. Use 'offset' parameter to read beyond entry ${first + entries.length})`
      : `(${total} entries)`,
    "</entries>",
  ].join("\n");
}

function preview(items: readonly string[]): string {
  return items.slice(0, PREVIEW_LENGTH).join("\n");
}
