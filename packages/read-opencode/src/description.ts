/** What the model is told about the tool: the text of description.txt, written here by `pnpm generate`. */
export const description = `Reads one file or lists one directory of the project.

How to call it:
- filePath is the file or directory to read. A relative path starts at the working directory; an absolute path must lie within the project root.
- offset is the line (or directory entry) to start at, counted from 1. Default: 1.
- limit is the most lines (or entries) to return. Default: 2000.

What comes back:
- A file's lines, each as "<line number>: <text>". The number and the colon are not part of the file.
- A directory's entries, one per line and sorted by name. Directories end with a slash.
- The last line in parentheses says whether that was all. If it was not, call again with the offset that follows what you have seen.

Limits:
- One call returns at most 50 KB of lines. A line over 2000 characters is cut there, and its rest cannot be read with this tool.
- Binary files are refused. Images (PNG, JPEG, GIF, WebP) and PDF files come back as attachments where the host allows it, and are refused as binary elsewhere.
- Bytes that are not valid UTF-8 are shown as U+FFFD.
- If nothing exists at filePath, the error names up to three similar paths.

Read a whole file, or a large part of it, rather than many small pieces, and read several files at once when you need more than one.
`;
