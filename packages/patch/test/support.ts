import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { conformant, fixture, type Tree } from "@fstools/testing";
import { createPatchTool, type PatchToolOptions } from "../src/index.ts";

type Extra = Partial<Omit<PatchToolOptions, "projectRoot" | "sandbox">> & {
  readonly protect?: string[];
  readonly deny?: string[];
};

/** Applies a patch to what is in a directory. */
export async function apply(root: string, params: string | object, options: Extra = {}) {
  const given = typeof params === "string" ? { patch: params } : params;
  const tool = createPatchTool({ projectRoot: root, durable: false, ...options });
  return conformant(await tool.run(given), "edit");
}

/** Applies a patch to a tree; tells the answer and what the files are afterwards. */
export async function patched(tree: Readonly<Record<string, Tree>>, params: string | object, options: Extra = {}) {
  const { root, path } = fixture(tree);
  const response = await apply(root, params, options);
  return { response, files: filesIn(root), root, path };
}

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

/** Writes files by their relative paths. */
export function writeFiles(root: string, files: Readonly<Record<string, { content: string; isRun?: boolean }>>): void {
  for (const [name, { content, isRun = false }] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: isRun ? 0o755 : 0o644 });
  }
}
