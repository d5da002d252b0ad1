import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface Rival {
  readonly id: string;
  readonly title: string;
  readonly package: string;
  readonly version: string;
  /** Other packages that it needs, which npm would not install with it. */
  readonly with?: Readonly<Record<string, string>>;
  /** Programs that it runs and would download itself where they are missing; one of several names, with "|" between. */
  readonly needs?: readonly string[];
  readonly overrides?: Readonly<Record<string, string>>;
}

/**
 * The rivals at the versions that are measured. They are too large, and too often at odds with each other, for this
 * repository's lock file: `pnpm bench:context` installs each into a folder of its own. In place of packages that a set of
 * tools does not need, or that a registry may lack, it gets one of a single function.
 */
export const RIVALS = JSON.parse(
  readFileSync(new URL("../../rivals.json", import.meta.url), "utf8"),
) as readonly Rival[];

export function rivalsFolder(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  return process.env.FSTOOLS_RIVALS ?? join(cache, "fstools", "rivals");
}

export function rivalFolder({ id, version }: Pick<Rival, "id" | "version">): string {
  return join(rivalsFolder(), `${id}-${version}`);
}
