import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { conformant, fixture, type Tree } from "@fstools/testing";
import { createPatchTool, type PatchToolOptions } from "../src/index.ts";
import { filesIn } from "./files-in.ts";

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

/** Writes files by their relative paths. */
export function writeFiles(root: string, files: Readonly<Record<string, { content: string; isRun?: boolean }>>): void {
  for (const [name, { content, isRun = false }] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: isRun ? 0o755 : 0o644 });
  }
}
