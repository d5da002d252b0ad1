import { linkSync, mkdirSync, writeFileSync } from "node:fs";

/** Makes a directory with this many names of one empty file: `f00000`, `f00001`, …. */
export function makeLargeDirectory(path: string, count: number): void {
  mkdirSync(path);
  writeFileSync(`${path}/f00000`, "");
  // Further names of one file are made much faster than files.
  for (let index = 1; index < count; index += 1)
    linkSync(`${path}/f00000`, `${path}/f${String(index).padStart(5, "0")}`);
}
