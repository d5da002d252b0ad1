import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every file below a directory, by its relative path; "x " stands before the content of one that may be run. */
export function filesIn(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(root, entry);
    const stats = lstatSync(path);
    if (stats.isFile()) files[entry] = `${(stats.mode & 0o111) === 0 ? "" : "x "}${readFileSync(path, "latin1")}`;
    else if (!stats.isDirectory()) files[entry] = "(no file)";
  }
  return files;
}
