import type { SafePath } from "@fstools/sandbox";
import type { Attachment } from "./attachment.ts";
import type { EntryPage } from "./directory.ts";
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
  /** What to tell the model in place of a text. */
  readonly message: string;
}

/** What was read, before it is put into words. */
export type Content = FileContent | DirectoryContent | AttachedContent;
