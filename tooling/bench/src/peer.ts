import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * A peer that is too large to be installed with this repository, from the folder that FSTOOLS_BENCH_PEERS names (made
 * with `npm i --ignore-scripts --legacy-peer-deps` there); undefined where it is not, and its column is left out.
 */
export async function importPeer<Module>(name: string, file: string): Promise<Module | undefined> {
  const folder = process.env.FSTOOLS_BENCH_PEERS;
  if (folder === undefined) return undefined;
  const path = join(folder, "node_modules", name, file);
  if (!existsSync(path)) return undefined;
  return (await import(pathToFileURL(path).href)) as Module;
}
