import { createOpencodeReadTool } from "@fstools/read-opencode";
import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { GIB, textFile } from "../fixtures.ts";
import { contender, nothing, type Contender, type Row } from "../row.ts";

const SMALL = "@fstools/read-opencode on a file of 64 KB";

function ours(name: string, path: string): Contender {
  return contender({
    name,
    prepare: () => createOpencodeReadTool({ projectRoot: dirname(path) }),
    run: (tool) => tool.execute({ filePath: path }),
    // Both files begin alike, so that the first 50 KB of both are the same.
    answer: ({ output }) => numberedLines(output),
  });
}

function numberedLines(output: string): string[] {
  return output.split("\n").filter((line) => /^\d+: /u.test(line));
}

const MAX_LINES = 2000;
const MAX_BYTES = 50 * 1024;

/** Lines through readline, up to opencode's caps; what comes after them is passed over, or not read at all. */
async function readPage(path: string, stopsAtCap: boolean): Promise<string[]> {
  const lines: string[] = [];
  let bytes = 0;
  let isFull = false;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    bytes += Buffer.byteLength(line) + (lines.length > 0 ? 1 : 0);
    isFull ||= bytes > MAX_BYTES || lines.length >= MAX_LINES;
    if (!isFull) lines.push(`${lines.length + 1}: ${line}`);
    else if (stopsAtCap) break;
  }
  return lines;
}

function readline(name: string, path: string, stopsAtCap: boolean): Contender {
  return contender({
    name,
    prepare: nothing,
    run: () => readPage(path, stopsAtCap),
    answer: (lines) => lines,
  });
}

export const opencodeRows: readonly Row[] = [
  {
    id: "opencode-2-GB",
    work: "opencode read of 2 GB",
    mode: "full",
    targets: [{ rival: SMALL, timesAtMost: 2 }, { tickAtMostMs: 50 }],
    contenders: () => {
      const large = textFile(2 * GIB);
      return [
        ours("@fstools/read-opencode", large),
        ours(SMALL, textFile(64 * 1024)),
        readline("readline stream, ended at 50 KB (opencode today)", large, true),
        readline("readline stream to the end", large, false),
      ];
    },
  },
];
