import { escapeText } from "@fstools/protocol";
import { type Pacer, type SafePath, type Sandbox, SandboxError, selectFirst, spelledPath } from "@fstools/sandbox";
import { compareUnits, type Flavour } from "./flavour.ts";

// Sorting so many entries takes about a millisecond, even by locale.
const MAX_SORTED_AT_ONCE = 512;

const MAX_SUGGESTIONS = 3;

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
  /** Names, with a slash after directories and links to directories. */
  readonly entries: readonly string[];
  /** The same names as they are shown: escaped. */
  readonly shown: readonly string[];
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
  const names: string[] = [];
  const shown: string[] = [];
  for (const { name } of (await sort(entries)).slice(offset - 1)) {
    if (pacer.due()) await pacer.rest();
    names.push(name);
    shown.push(escapeText(name));
  }
  return { entries: names, shown, total };
}

/** Absolute paths beside a missing one whose names contain its name or are contained in it, in the order of the disk. */
export async function similarPaths(sandbox: Sandbox, filePath: string, signal: AbortSignal): Promise<string[]> {
  const spelled = spelledPath(filePath, sandbox.cwd);
  const slash = spelled.lastIndexOf("/");
  const wanted = spelled.slice(slash + 1).toLowerCase();
  const found: string[] = [];
  try {
    const directory = await sandbox.resolve(spelled.slice(0, slash) || "/");
    for await (const batch of sandbox.readDirectory(directory, { signal })) {
      for (const { name } of batch) {
        const other = name.toLowerCase();
        if (other.includes(wanted) || wanted.includes(other)) found.push(spelledPath(name, directory));
        if (found.length === MAX_SUGGESTIONS) return found;
      }
    }
  } catch (error) {
    // Where the directory is missing too there is nothing to suggest.
    if (!(error instanceof SandboxError)) throw error;
  }
  return found;
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
