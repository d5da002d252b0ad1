import { statSync } from "node:fs";

/** Whether another user could read the sources: a process that dropped root's privileges still loads some on use. */
export function sourcesAreReadable(): boolean {
  const folders = import.meta.dirname.split("/").map((_, index, names) => names.slice(0, index + 1).join("/") || "/");
  return folders.every((folder) => (statSync(folder).mode & 0o005) === 0o005);
}
