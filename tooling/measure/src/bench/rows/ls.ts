import { createLsTool } from "@fstools/ls";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { linesOf, findCommand, output } from "../command.ts";
import { DIRECTORY_PREFIX, flatDirectory } from "../fixtures.ts";
import { contender, nothing, type Contender, type Row, type Target } from "../row.ts";
import { unwrap } from "../unwrap.ts";

const RAW_READDIR = "fs.readdir(withFileTypes)";
const STAT_EACH = "readdir + a stat per entry";
const PAGE = 100;

function ours(root: string, offset: number): Contender {
  const tool = createLsTool({ projectRoot: root });
  return contender({
    name: "@fstools/ls",
    prepare: nothing,
    run: () => tool.run({ offset, limit: PAGE }),
    answer: (response) => [
      ...unwrap(response).entries.map(({ path }) => path),
      `total ${String(response.stats.total_entries)}`,
    ],
  });
}

function rawReaddir(root: string, offset: number): Contender {
  return contender({
    name: RAW_READDIR,
    prepare: nothing,
    run: () => readdir(root, { withFileTypes: true }),
    answer: (entries) =>
      page(
        entries.map(({ name }) => name),
        offset,
      ),
  });
}

/** What a page must hold, found the plain way: directories first, then lower-cased names. */
function page(names: readonly string[], offset: number): string[] {
  const rank = (name: string) => (name.startsWith(DIRECTORY_PREFIX) ? 0 : 1);
  const sorted = names.toSorted((a, b) => rank(a) - rank(b) || (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return [...sorted.slice(offset, offset + PAGE), `total ${names.length}`];
}

function firstPageContenders(entries: number): Contender[] {
  const root = flatDirectory(entries);
  const ls = findCommand("ls");
  return [
    ours(root, 0),
    rawReaddir(root, 0),
    contender({
      name: "readdir + localeCompare (opencode)",
      prepare: nothing,
      run: async () => (await readdir(root)).sort((a, b) => a.localeCompare(b)),
      answer: (names) => page(names, 0),
    }),
    contender({
      name: STAT_EACH,
      prepare: nothing,
      run: async () => {
        const names = await readdir(root);
        const all = await Promise.all(names.map(async (name) => ({ name, stats: await stat(join(root, name)) })));
        return all.sort((a, b) => (a.name < b.name ? -1 : 1));
      },
      answer: (all) =>
        page(
          all.map(({ name }) => name),
          0,
        ),
    }),
    ...(ls === undefined
      ? []
      : [
          contender({
            name: "ls",
            prepare: nothing,
            run: () => output(ls, ["-1"], root),
            answer: (printed) => page(linesOf(printed), 0),
            inProcess: false,
          }),
        ]),
  ];
}

function firstPage(entries: number, mode: Row["mode"], targets: readonly Target[]): Row {
  return {
    id: `ls-first-page-${String(entries)}`,
    work: `LS, first page of ${entries.toLocaleString("en")} entries`,
    mode,
    targets: [{ rival: STAT_EACH, fasterAtLeast: 10 }, { tickAtMostMs: 50 }, ...targets],
    contenders: () => firstPageContenders(entries),
  };
}

function laterPage(name: string, entries: number, offset: number, mode: Row["mode"]): Row {
  return {
    id: `ls-${name}-page-${String(entries)}`,
    work: `LS, ${name} page of ${entries.toLocaleString("en")} entries`,
    mode,
    targets: [{ rival: RAW_READDIR, timesAtMost: 1.3 }, { tickAtMostMs: 50 }],
    contenders: () => {
      const root = flatDirectory(entries);
      return [ours(root, offset), rawReaddir(root, offset)];
    },
  };
}

export const lsRows: readonly Row[] = [
  firstPage(1000, "quick", [{ rival: RAW_READDIR, timesAtMost: 1.3 }]),
  firstPage(100_000, "quick", [{ rival: RAW_READDIR, timesAtMost: 1.1 }]),
  firstPage(1_000_000, "full", [{ rival: RAW_READDIR, fasterAtLeast: 1.6 }]),
  laterPage("middle", 100_000, 50_000, "quick"),
  laterPage("last", 100_000, 100_000 - PAGE, "quick"),
  laterPage("middle", 1_000_000, 500_000, "full"),
  laterPage("last", 1_000_000, 1_000_000 - PAGE, "full"),
];
