/**
 * The most bytes of one message. Parameters may hold 64 MiB of text (a large file to write), and JSON makes that longer;
 * nothing larger is read into memory.
 */
export const MAX_MESSAGE_BYTES = 96 * 1024 * 1024;
