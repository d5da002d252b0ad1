/** Lines or entries of a page when the caller names no limit. */
export const DEFAULT_LIMIT = 2000;
/** UTF-16 units of a line that are shown. */
export const MAX_LINE_LENGTH = 2000;
/** UTF-8 bytes of a page's lines and the newlines between them. */
export const MAX_PAGE_BYTES = 51_200;
/** Lines or entries in `metadata.preview`. */
export const PREVIEW_LENGTH = 20;
/** Bytes at a file's start that tell what it is. */
export const SAMPLE_BYTES = 4096;
/** Bytes of the largest file that is attached. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
