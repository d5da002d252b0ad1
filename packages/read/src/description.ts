/** What a model is told about Read. */
export const READ_DESCRIPTION = `Reads a file from the local filesystem with line numbers. Optimized for code editing.
The number before each line is not part of the file. A truncated answer names the call that continues it.`;
