import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What is below a directory: the kind, mode and content of each entry, by its path. */
export function treeOf(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const visit = (path: string): void => {
    const absolute = `${root}/${path}`;
    const stats = lstatSync(absolute);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isDirectory()) {
      if (path !== "") tree[path] = `directory ${mode}`;
      for (const name of readdirSync(absolute).sort()) visit(path === "" ? name : `${path}/${name}`);
    } else if (stats.isSymbolicLink()) tree[path] = `link to ${readlinkSync(absolute)}`;
    else if (stats.isFile()) tree[path] = `file ${mode} ${readFileSync(absolute, "latin1")}`;
    else tree[path] = `other ${mode}`;
  };
  visit("");
  return tree;
}
