import { createReadTool } from "@fstools/read";
import { createOpencodeReadTool } from "@fstools/read-opencode";
import { closeSync, createReadStream, fsyncSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { commandContender, findCommand, linesOf, output } from "../rivals.ts";
import { GIB, MIB, textFile } from "../fixtures.ts";
import { contender, faster, plain, row, SHORT_TICKS, unwrap, within } from "../row.ts";
import type { Contender, Row, Target } from "../row.ts";

const SPLIT = "readFile + split";
const READLINE = "readline stream (opencode)";
const WC = "wc -l";
const SED = "sed -n";
const PAGE = 500;

interface Page {
  readonly lines: readonly string[];
  readonly total: number;
}

const comparable = ({ lines, total }: Page) => [...lines, `total ${total}`];
const shown = (lines: readonly string[]) => lines;
const toolFor = (path: string) => createReadTool({ projectRoot: dirname(path) });

function oursFirstPage(path: string): Contender {
  return contender({
    name: "@fstools/read",
    prepare: () => toolFor(path),
    run: (tool) => tool.run({ path: basename(path) }),
    answer: (response) => comparable(pageOf(unwrap(response).content, response.stats.total_lines)),
  });
}

/** Ours has read the first page of the file, as an agent has before it asks for another. */
function oursLaterPage(path: string, startLine: number): Contender {
  return contender({
    name: "@fstools/read",
    prepare: async () => {
      const tool = toolFor(path);
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

async function splitPage(path: string): Promise<Page> {
  const all = (await readFile(path, "utf8")).split("\n");
  // After the last line end there is no line.
  const total = all.length - 1;
  return { lines: all.slice(0, Math.min(PAGE, total)), total };
}

async function readlinePage(path: string, startLine = 1): Promise<Page> {
  const lines: string[] = [];
  let total = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    total++;
    if (total >= startLine && lines.length < PAGE) lines.push(line);
  }
  return { lines, total };
}

function wcAndSed(path: string): Contender[] {
  const script = `wc -l < "$1" && sed -n '1,${PAGE}p;${PAGE}q' "$1"`;
  return [
    ...commandContender(WC, ["wc"], ["-l", path], dirname(path)),
    ...commandContender("wc -l + sed -n", ["sh"], ["-c", script, "sh", path], dirname(path), (printed) => {
      const [total = "", ...lines] = linesOf(printed);
      return comparable({ lines, total: Number(total) });
    }),
  ];
}

function firstPage(size: string, bytes: number, mode: Row["mode"], targets: readonly Target[]): Row {
  const contenders = () => {
    const path = textFile(bytes);
    // A string cannot hold 2 GiB.
    const whole = bytes < GIB ? [plain(SPLIT, () => splitPage(path), comparable)] : [];
    return [oursFirstPage(path), ...whole, plain(READLINE, () => readlinePage(path), comparable), ...wcAndSed(path)];
  };
  const work = `Read, first page of ${size.replace("-", " ")}`;
  return row(`read-first-page-${size}`, work, [...targets, SHORT_TICKS], contenders, mode);
}

function middlePage(size: string, bytes: number, mode: Row["mode"]): Row {
  const contenders = async () => {
    const path = textFile(bytes);
    const response = await toolFor(path).run({ path: basename(path), limit: 1 });
    const from = Math.floor(Number(response.stats.total_lines) / 2);
    const to = from + PAGE - 1;
    return [
      oursLaterPage(path, from),
      // sed quits after the page: it need not read the rest.
      ...commandContender(SED, ["sed"], ["-n", `${from},${to}p;${to}q`, path], dirname(path), linesOf),
      plain(READLINE, async () => (await readlinePage(path, from)).lines, shown),
    ];
  };
  const work = `Read, middle page of ${size.replace("-", " ")}, after the first`;
  return row(`read-middle-page-${size}`, work, [faster(SED, 100), SHORT_TICKS], contenders, mode);
}

const COLD_WC = "wc -l, cold";

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

function coldContenders(): Contender[] {
  const path = textFile(2 * GIB);
  const forget = forgetting(path);
  if (forget === undefined) return [];
  const cold = (name: string, run: () => Promise<unknown>, inProcess: boolean) =>
    contender({ name, prepare: forget, run, inProcess });
  return [
    cold("@fstools/read, cold", () => toolFor(path).run({ path: basename(path) }), true),
    cold(COLD_WC, () => output("wc", ["-l", path], dirname(path)), false),
  ];
}

const SMALL = "@fstools/read-opencode on a file of 64 KB";

function opencodeRead(name: string, path: string): Contender {
  return contender({
    name,
    prepare: () => createOpencodeReadTool({ projectRoot: dirname(path) }),
    run: (tool) => tool.execute({ filePath: path }),
    // Both files begin alike, so that the first 50 KB of both are the same.
    answer: ({ output }) => output.split("\n").filter((line) => /^\d+: /u.test(line)),
  });
}

async function cappedLines(path: string): Promise<string[]> {
  const lines: string[] = [];
  let bytes = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    bytes += Buffer.byteLength(line) + (lines.length > 0 ? 1 : 0);
    if (bytes > 50 * 1024 || lines.length >= 2000) break;
    lines.push(`${lines.length + 1}: ${line}`);
  }
  return lines;
}

function opencodeContenders(): Contender[] {
  const large = textFile(2 * GIB);
  return [
    opencodeRead("@fstools/read-opencode", large),
    opencodeRead(SMALL, textFile(64 * 1024)),
    plain("readline stream, ended at 50 KB (opencode today)", () => cappedLines(large), shown),
  ];
}

export const readRows: readonly Row[] = [
  firstPage("10-KB", 10_000, "quick", [within(SPLIT, 1.2)]),
  firstPage("1-MB", MIB, "quick", []),
  firstPage("100-MB", 100 * MIB, "quick", [faster(SPLIT, 30), faster(READLINE, 20)]),
  firstPage("2-GB", 2 * GIB, "full", [within(WC, 1.4)]),
  middlePage("100-MB", 100 * MIB, "quick"),
  middlePage("2-GB", 2 * GIB, "full"),
  row("read-cold-2-GB", "Read, first page of 2 GB that is not in memory", [within(COLD_WC, 1)], coldContenders, "full"),
  row("opencode-2-GB", "opencode read of 2 GB", [within(SMALL, 2), SHORT_TICKS], opencodeContenders, "full"),
];
