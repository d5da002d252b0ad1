import { escapeText } from "@fstools/protocol";
import { type Pacer, type SafePath, type Sandbox, selectFirst } from "@fstools/sandbox";
import { compareUnits, type Flavour } from "./flavour.ts";

// Sorting so many entries takes about a millisecond, even by locale.
const MAX_SORTED_AT_ONCE = 512;

/** Which entries to list, and in which order. */
export interface EntryRequest {
  /** The first entry, from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly flavour: Flavour;
  readonly signal: AbortSignal;
  readonly pacer: Pacer;
}

/** A page of a directory's entries. */
export interface EntryPage {
  /** Names as they are shown: escaped, with a slash after directories and links to directories. */
  readonly entries: readonly string[];
  /** How many entries the directory has. */
  readonly total: number;
}

interface Entry {
  readonly name: string;
  readonly key: string;
}

/** Lists one page of a directory in the order of the whole; neither memory nor a tick grows with the directory. */
export async function readEntries(sandbox: Sandbox, directory: SafePath, request: EntryRequest): Promise<EntryPage> {
  const { offset, limit, flavour, signal, pacer } = request;
  const { keepFirst, sort } = entryOrder(flavour, pacer);
  const leadsToDirectory = sandbox.createLinkProbe(directory);
  const wanted = offset - 1 + limit;
  const entries: Entry[] = [];
  let total = 0;
  for await (const batch of sandbox.readDirectory(directory, { signal })) {
    total += batch.length;
    for (const entry of batch) {
      if (pacer.due()) await pacer.rest();
      const isDirectory = entry.kind === "directory" || (entry.kind === "link" && leadsToDirectory(entry.name));
      const name = isDirectory ? `${entry.name}/` : entry.name;
      entries.push({ name, key: flavour.sortKey(name) });
    }
    if (entries.length > 2 * wanted) await keepFirst(entries, wanted);
  }
  await keepFirst(entries, wanted);
  const shown: string[] = [];
  for (const { name } of (await sort(entries)).slice(offset - 1)) {
    if (pacer.due()) await pacer.rest();
    shown.push(escapeText(name));
  }
  return { entries: shown, total };
}

function entryOrder(flavour: Flavour, pacer: Pacer) {
  const compare = (left: Entry, right: Entry) =>
    flavour.compareKeys(left.key, right.key) || compareUnits(left.name, right.name);
  const before = (left: Entry, right: Entry) => compare(left, right) < 0;

  const keepFirst = async (entries: Entry[], count: number): Promise<void> => {
    if (entries.length <= count) return;
    await selectFirst(entries, count, before, pacer);
    entries.length = count;
  };
  const sort = async (entries: Entry[]): Promise<readonly Entry[]> => {
    if (pacer.due()) await pacer.rest();
    if (entries.length <= MAX_SORTED_AT_ONCE) return entries.sort(compare);
    const half = Math.floor(entries.length / 2);
    await selectFirst(entries, half, before, pacer);
    return [...(await sort(entries.slice(0, half))), ...(await sort(entries.slice(half)))];
  };
  return { keepFirst, sort };
}
