import { createLsTool } from "@fstools/ls";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { commandContender, linesOf } from "../rivals.ts";
import { DIRECTORY_PREFIX, flatDirectory } from "../fixtures.ts";
import { faster, plain, row, SHORT_TICKS, unwrap, within, type Contender, type Row, type Target } from "../row.ts";

const RAW_READDIR = "fs.readdir(withFileTypes)";
const STAT_EACH = "readdir + a stat per entry";
const PAGE = 100;

function ours(root: string, offset: number): Contender {
  const tool = createLsTool({ projectRoot: root });
  const run = () => tool.run({ offset, limit: PAGE });
  return plain("@fstools/ls", run, (response) => [
    ...unwrap(response).entries.map(({ path }) => path),
    `total ${String(response.stats.total_entries)}`,
  ]);
}

function rawReaddir(root: string, offset: number): Contender {
  const list = () => readdir(root, { withFileTypes: true });
  return plain(RAW_READDIR, list, (entries) => page(named(entries), offset));
}

const named = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);

function page(names: readonly string[], offset = 0): string[] {
  const rank = (name: string) => (name.startsWith(DIRECTORY_PREFIX) ? 0 : 1);
  const sorted = names.toSorted((a, b) => rank(a) - rank(b) || (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return [...sorted.slice(offset, offset + PAGE), `total ${names.length}`];
}

async function statEach(root: string) {
  const names = await readdir(root);
  const all = await Promise.all(names.map(async (name) => ({ name, stats: await stat(join(root, name)) })));
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function firstPage(entries: number, mode: Row["mode"], target: Target): Row {
  const targets = [faster(STAT_EACH, 10), SHORT_TICKS, target];
  const work = `LS, first page of ${entries.toLocaleString("en")} entries`;
  const contenders = () => {
    const root = flatDirectory(entries);
    const looking = () => statEach(root);
    const sorted = async () => (await readdir(root)).sort((a, b) => a.localeCompare(b));
    return [
      ours(root, 0),
      rawReaddir(root, 0),
      plain("readdir + localeCompare (opencode)", sorted, (names) => page(names)),
      plain(STAT_EACH, looking, (all) => page(named(all))),
      ...commandContender("ls", ["ls"], ["-1"], root, (printed) => page(linesOf(printed))),
    ];
  };
  return row(`ls-first-page-${entries}`, work, targets, contenders, mode);
}

function laterPage(name: string, entries: number, offset: number, mode: Row["mode"]): Row {
  const contenders = () => [ours, rawReaddir].map((make) => make(flatDirectory(entries), offset));
  const work = `LS, ${name} page of ${entries.toLocaleString("en")} entries`;
  return row(`ls-${name}-page-${entries}`, work, [within(RAW_READDIR, 1.3), SHORT_TICKS], contenders, mode);
}

export const lsRows: readonly Row[] = [
  firstPage(1000, "quick", within(RAW_READDIR, 1.3)),
  firstPage(100_000, "quick", within(RAW_READDIR, 1.1)),
  firstPage(1_000_000, "full", faster(RAW_READDIR, 1.6)),
  laterPage("middle", 100_000, 50_000, "quick"),
  laterPage("last", 100_000, 100_000 - PAGE, "quick"),
  laterPage("middle", 1_000_000, 500_000, "full"),
  laterPage("last", 1_000_000, 1_000_000 - PAGE, "full"),
];
