import { rivalFile } from "../rivals/list.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * A file of a peer: one that is installed here, or, if it is too large for that, from the folder that
 * FSTOOLS_BENCH_PEERS names (made with `npm i --ignore-scripts --legacy-peer-deps` there), or one that
 * `pnpm bench:context` has installed. Undefined where there is none; then its column is left out.
 */
export function findPeer<Module>(name: string, file: string): (() => Promise<Module>) | undefined {
  const here = fileURLToPath(new URL("../../", import.meta.url));
  const path =
    [here, process.env.FSTOOLS_BENCH_PEERS ?? here]
      .map((folder) => join(folder, "node_modules", name, file))
      .find((candidate) => existsSync(candidate)) ?? rivalFile(name, file);
  // Imported by the process that needs it only: some take seconds.
  return path === undefined ? undefined : async () => (await import(pathToFileURL(path).href)) as Module;
}
