import { createReadTool } from "@fstools/read";
import { closeSync, createReadStream, fsyncSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { findCommand, linesOf, output } from "../command.ts";
import { GIB, MIB, textFile } from "../fixtures.ts";
import { contender, nothing, type Contender, type Row, type Target } from "../row.ts";
import { unwrap } from "../unwrap.ts";

const SPLIT = "readFile + split";
const READLINE = "readline stream (opencode)";
const WC = "wc -l";
const SED = "sed -n";
const WC_AND_SED = "wc -l + sed -n";
const PAGE = 500;

interface Page {
  readonly lines: readonly string[];
  readonly total: number;
}

function comparable({ lines, total }: Page): string[] {
  return [...lines, `total ${total}`];
}

/** The line that begins the page in the middle of a file. */
async function middleLine(path: string): Promise<number> {
  const tool = createReadTool({ projectRoot: dirname(path) });
  const response = await tool.run({ path: basename(path), limit: 1 });
  unwrap(response);
  return Math.floor(Number(response.stats.total_lines) / 2);
}

/** Ours reads through a new tool each time: nothing is known about the file. */
function oursFirstPage(path: string): Contender {
  return contender({
    name: "@fstools/read",
    prepare: () => createReadTool({ projectRoot: dirname(path) }),
    run: (tool) => tool.run({ path: basename(path) }),
    answer: (response) => comparable(pageOf(unwrap(response).content, response.stats.total_lines)),
  });
}

/** Ours has read the first page of the file, as an agent has before it asks for another. */
function oursLaterPage(path: string, startLine: number): Contender {
  return contender({
    name: "@fstools/read",
    prepare: async () => {
      const tool = createReadTool({ projectRoot: dirname(path) });
      unwrap(await tool.run({ path: basename(path) }));
      return tool;
    },
    run: (tool) => tool.run({ path: basename(path), start_line: startLine }),
    answer: (response) => pageOf(unwrap(response).content, 0).lines,
  });
}

function pageOf(content: string, total: unknown): Page {
  const lines = content.split("\n").slice(0, -1);
  return { lines: lines.map((line) => line.slice(line.indexOf(" | ") + 3)), total: Number(total) };
}

function split(path: string): Contender {
  return contender({
    name: SPLIT,
    prepare: nothing,
    run: async () => {
      const all = (await readFile(path, "utf8")).split("\n");
      // After the last line end there is no line.
      const total = all.length - 1;
      return { lines: all.slice(0, Math.min(PAGE, total)), total };
    },
    answer: comparable,
  });
}

async function readWithReadline(path: string, startLine: number): Promise<Page> {
  const lines: string[] = [];
  let total = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    total++;
    if (total >= startLine && lines.length < PAGE) lines.push(line);
  }
  return { lines, total };
}

function readline(path: string): Contender {
  return contender({
    name: READLINE,
    prepare: nothing,
    run: () => readWithReadline(path, 1),
    answer: comparable,
  });
}

function wcAndSed(path: string): Contender[] {
  const wc = findCommand("wc");
  const sed = findCommand("sed");
  if (wc === undefined || sed === undefined) return [];
  const directory = dirname(path);
  const count = () => output(wc, ["-l", path], directory);
  return [
    contender({ name: WC, prepare: nothing, run: count, inProcess: false }),
    contender({
      name: WC_AND_SED,
      prepare: nothing,
      run: async () => ({ counted: await count(), lines: await sedPage(sed, path, 1) }),
      answer: ({ counted, lines }) => comparable({ lines: linesOf(lines), total: Number.parseInt(counted.toString()) }),
      inProcess: false,
    }),
  ];
}

/** sed quits after the page: it need not read the rest. */
function sedPage(sed: string, path: string, startLine: number): Promise<Buffer> {
  const lastLine = startLine + PAGE - 1;
  return output(sed, ["-n", `${startLine},${lastLine}p;${lastLine}q`, path], dirname(path));
}

function sedContender(path: string, startLine: number): Contender[] {
  const sed = findCommand("sed");
  if (sed === undefined) return [];
  return [
    contender({
      name: SED,
      prepare: nothing,
      run: () => sedPage(sed, path, startLine),
      answer: linesOf,
      inProcess: false,
    }),
  ];
}

function firstPage(size: string, bytes: number, mode: Row["mode"], targets: readonly Target[]): Row {
  return {
    id: `read-first-page-${size}`,
    work: `Read, first page of ${size.replace("-", " ")}`,
    mode,
    targets: [...targets, { tickAtMostMs: 50 }],
    contenders: () => {
      const path = textFile(bytes);
      return [
        oursFirstPage(path),
        // A string cannot hold 2 GiB.
        ...(bytes < GIB ? [split(path)] : []),
        readline(path),
        ...wcAndSed(path),
      ];
    },
  };
}

function middlePage(size: string, bytes: number, mode: Row["mode"]): Row {
  return {
    id: `read-middle-page-${size}`,
    work: `Read, middle page of ${size.replace("-", " ")}, after the first`,
    mode,
    targets: [{ rival: SED, fasterAtLeast: 100 }, { tickAtMostMs: 50 }],
    contenders: async () => {
      const path = textFile(bytes);
      const startLine = await middleLine(path);
      return [
        oursLaterPage(path, startLine),
        ...sedContender(path, startLine),
        contender({
          name: READLINE,
          prepare: nothing,
          run: () => readWithReadline(path, startLine),
          answer: ({ lines }) => lines,
        }),
      ];
    },
  };
}

const COLD_WC = "wc -l, cold";

/** Makes the system forget a file, and sees that it did; undefined where the commands for that are missing. */
function forgetting(path: string): (() => Promise<void>) | undefined {
  const [dd, fincore] = [findCommand("dd"), findCommand("fincore")];
  if (dd === undefined || fincore === undefined) return undefined;
  const directory = dirname(path);
  return async () => {
    // What is not on the disk yet cannot be forgotten.
    const file = openSync(path, "r+");
    fsyncSync(file);
    closeSync(file);
    await output(dd, [`if=${path}`, "iflag=nocache", "count=0", "status=none"], directory);
    const resident = Number(await output(fincore, ["--bytes", "--noheadings", "--output", "RES", path], directory));
    if (resident !== 0) throw new Error(`${resident} bytes of the file are still in memory.`);
  };
}

/** The file is not in the page cache, as on the first day. */
const coldFirstPage: Row = {
  id: "read-cold-2-GB",
  work: "Read, first page of 2 GB that is not in memory",
  mode: "full",
  targets: [{ rival: COLD_WC, timesAtMost: 1 }],
  contenders: () => {
    const path = textFile(2 * GIB);
    const [forget, wc] = [forgetting(path), findCommand("wc")];
    if (forget === undefined || wc === undefined) return [];
    return [
      contender({
        name: "@fstools/read, cold",
        prepare: async () => {
          await forget();
          return createReadTool({ projectRoot: dirname(path) });
        },
        run: (tool) => tool.run({ path: basename(path) }),
      }),
      contender({
        name: COLD_WC,
        prepare: forget,
        run: () => output(wc, ["-l", path], dirname(path)),
        inProcess: false,
      }),
    ];
  },
};

export const readRows: readonly Row[] = [
  firstPage("10-KB", 10_000, "quick", [{ rival: SPLIT, timesAtMost: 1.2 }]),
  firstPage("1-MB", MIB, "quick", []),
  firstPage("100-MB", 100 * MIB, "quick", [
    { rival: SPLIT, fasterAtLeast: 30 },
    { rival: READLINE, fasterAtLeast: 20 },
  ]),
  firstPage("2-GB", 2 * GIB, "full", [{ rival: WC, timesAtMost: 1.4 }]),
  middlePage("100-MB", 100 * MIB, "quick"),
  middlePage("2-GB", 2 * GIB, "full"),
  coldFirstPage,
];
