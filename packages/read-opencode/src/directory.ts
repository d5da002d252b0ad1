import { escapeText } from "@fstools/protocol";
import { createPageSelection, type SafePath, type Sandbox, SandboxError, spelledPath } from "@fstools/sandbox";
import { compareUnits } from "./flavour.ts";
import type { LineRequest } from "./lines.ts";

const MAX_SUGGESTIONS = 3;

export type EntryRequest = LineRequest & { readonly signal: AbortSignal };

export interface EntryPage {
  /** Names, with a slash after directories and links to directories. */
  readonly entries: readonly string[];
  /** The same names as they are shown: escaped. */
  readonly shown: readonly string[];
  readonly total: number;
}

/** Lists one page of a directory in the order of the whole; neither memory nor a tick grows with the directory. */
export async function readEntries(sandbox: Sandbox, directory: SafePath, request: EntryRequest): Promise<EntryPage> {
  const { offset, limit, flavour, signal, pacer } = request;
  const before = (left: Record<"name" | "key", string>, right: typeof left) =>
    (flavour.compareKeys(left.key, right.key) || compareUnits(left.name, right.name)) < 0;
  const selection = createPageSelection({ offset: offset - 1, limit }, before, pacer);
  const leadsToDirectory = sandbox.createLinkProbe(directory);
  let total = 0;
  for await (const batch of sandbox.readDirectory(directory, { signal })) {
    total += batch.length;
    for (const entry of batch) {
      if (pacer.due()) await pacer.rest();
      const isDirectory = entry.kind === "directory" || (entry.kind === "link" && leadsToDirectory(entry.name));
      const name = isDirectory ? `${entry.name}/` : entry.name;
      const candidate = { name, key: flavour.sortKey(name) };
      const settling = selection.wants(candidate) ? selection.add(candidate) : undefined;
      if (settling !== undefined) await settling;
    }
  }
  const entries: string[] = [];
  const shown: string[] = [];
  for (const { name } of await selection.page()) {
    if (pacer.due()) await pacer.rest();
    entries.push(name);
    shown.push(escapeText(name));
  }
  return { entries, shown, total };
}

/** Absolute paths next to a missing one whose names contain its name, or are part of it, in the order of the disk. */
export async function similarPaths(sandbox: Sandbox, filePath: string, signal: AbortSignal): Promise<string[]> {
  const spelled = spelledPath(filePath, sandbox, sandbox.cwd);
  const slash = spelled.lastIndexOf("/");
  const wanted = spelled.slice(slash + 1).toLowerCase();
  const found: string[] = [];
  try {
    const directory = await sandbox.resolve(slash < 0 ? "." : spelled.slice(0, slash) || "/");
    for await (const batch of sandbox.readDirectory(directory, { signal })) {
      for (const { name } of batch) {
        const other = name.toLowerCase();
        if (other.includes(wanted) || wanted.includes(other)) found.push(spelledPath(name, sandbox, directory));
        if (found.length === MAX_SUGGESTIONS) return found;
      }
    }
  } catch (error) {
    // Where the directory is missing too there is nothing to suggest.
    if (!(error instanceof SandboxError)) throw error;
  }
  return found;
}
