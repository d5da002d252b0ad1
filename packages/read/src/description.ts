/** What a model is told about Read. */
export const DESCRIPTION = `Reads a file from the local filesystem with line numbers. Optimized for code editing.

Use it to look at a text file before you edit or quote it; use LS for directories and Glob to find files.
Each line comes as its number, " | " and its text; the number is not part of the file.

Parameters:
- path: the file, relative to the project root.
- start_line, limit: which lines (1-based; 500 lines unless you say otherwise, at most 2000).
- start_column: continues inside a line that was too long for one page.
- encoding: for files that are not UTF-8, such as gb18030, shift_jis, windows-1252 or utf-16le.

Examples:
- {"path": "src/index.ts"} reads the first 500 lines.
- {"path": "logs/app.log", "start_line": 12001, "limit": 100} reads lines 12001 to 12100.

When status is "partial" and text has a line "[Truncated: ...]", call Read again with the start_line (and start_column) that it names to read on; all other parameters stay. stats.total_lines is the length of the whole file.`;
