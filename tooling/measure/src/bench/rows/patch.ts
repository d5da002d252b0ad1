import { createPatchTool } from "@fstools/patch";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIXTURES, textFile } from "../fixtures.ts";
import { mcpEdit, openedOnce, rivalTool, type RivalTool } from "../rivals.ts";
import { contender, faster, row, SHORT_TICKS, unwrap, within, type Contender, type Row } from "../row.ts";

const NAIVE = "readFile + replace + writeFile, 20 times";
const MCP = "MCP filesystem server, 20 x edit_file";
const GEMINI = "gemini-cli-core, 20 x replace";
const PI = "pi, 20 x edit";
const NEW_TEXT = "a line that was patched";
const FOLDER = join(FIXTURES, "patch");
const FILES = 20;

/** Lines around the middle of a file, and the one that is replaced. */
interface Place {
  readonly before: string;
  readonly old: string;
  readonly after: string;
}

/** Every contender changes 20 files of its own, which are as they were before each sample. */
function patching<Ready>(
  name: string,
  prepare: (folder: string) => Promise<Ready> | Ready,
  run: (ready: Ready, files: readonly string[], place: Place) => Promise<unknown>,
): Contender {
  const content = readFileSync(textFile(10 * 1024), "utf8");
  const lines = content.split("\n");
  const middle = lines.length >>> 1;
  const [before = "", old = "", after = ""] = lines.slice(middle - 1, middle + 2);
  const folder = join(FOLDER, name.replaceAll(/\W+/gu, "-"));
  const files = Array.from({ length: FILES }, (_, index) => join(folder, `${index}.txt`));
  return contender({
    name,
    prepare: () => {
      mkdirSync(folder, { recursive: true });
      for (const file of files) writeFileSync(file, content, { flush: true });
      return prepare(folder);
    },
    run: async (ready) => {
      await run(ready, files, { before, old, after });
    },
    answer: () => files.map((file) => createHash("sha256").update(readFileSync(file)).digest("hex")),
  });
}

function ours(name: string, durable: boolean): Contender {
  return patching(
    name,
    (projectRoot) => createPatchTool({ projectRoot, durable }),
    async (tool, files, { before, old, after }) => {
      const hunk = `@@\n ${before}\n-${old}\n+${NEW_TEXT}\n ${after}\n`;
      const sections = files.map((file) => `*** Update File: ${file}\n${hunk}`);
      unwrap(await tool.run({ patch: `*** Begin Patch\n${sections.join("")}*** End Patch\n` }));
    },
  );
}

function naive(): Contender {
  return patching(
    NAIVE,
    () => undefined,
    async (_, files, { old }) => {
      for (const file of files) {
        const text = await readFile(file, "utf8");
        await writeFile(
          file,
          text.replace(old, () => NEW_TEXT),
        );
      }
    },
  );
}

/** A rival's edit, called once for each file. */
function rival(tool: RivalTool, params: (file: string, place: Place) => object): Contender {
  return patching(tool.name, openedOnce(tool, FOLDER), async (call, files, place) => {
    for (const file of files) await call(params(file, place));
  });
}

const DONE = /^Successfully/u;

function contenders(): Contender[] {
  const edits = (path: string, { old }: Place) => ({ path, edits: [{ oldText: old, newText: NEW_TEXT }] });
  const instruction = "Edit one line.";
  const replace = (file_path: string, { old: old_string }: Place) => {
    return { file_path, instruction, old_string, new_string: NEW_TEXT };
  };
  return [
    ours("@fstools/patch", false),
    ours("@fstools/patch, with fsync", true),
    naive(),
    ...mcpEdit(MCP).map((tool) => rival(tool, edits)),
    ...rivalTool(GEMINI, "gemini", "replace", DONE).map((tool) => rival(tool, replace)),
    ...rivalTool(PI, "pi", "edit", DONE).map((tool) => rival(tool, edits)),
  ];
}

const TARGETS = [within(NAIVE, 2), ...[MCP, GEMINI, PI].map((name) => faster(name, 1)), SHORT_TICKS];

export const patchRows: readonly Row[] = [
  row("patch-20", "Patch, one line of each of 20 files of 10 KB", TARGETS, contenders),
];
