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

/** opencode's way: every line of the file passes through readline, though 50 KB are wanted. */
function readline(path: string): Contender {
  return contender({
    name: "readline stream (opencode)",
    prepare: nothing,
    run: async () => {
      const lines: string[] = [];
      let bytes = 0;
      let full = false;
      for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
        bytes += Buffer.byteLength(line) + (lines.length > 0 ? 1 : 0);
        full ||= bytes > 50 * 1024 || lines.length >= 2000;
        if (!full) lines.push(`${lines.length + 1}: ${line}`);
      }
      return lines;
    },
    answer: (lines) => lines,
    maxSamples: 1,
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
      return [ours("@fstools/read-opencode", large), ours(SMALL, textFile(64 * 1024)), readline(large)];
    },
  },
];
