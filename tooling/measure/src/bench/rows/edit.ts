import { createEditTool } from "@fstools/edit";
import { createPatchTool } from "@fstools/patch";
import { createDiff, createHistory, createPacer, type History } from "@fstools/sandbox";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIXTURES, MIB, textFile } from "../fixtures.ts";
import { mcpEdit, openedOnce, rivalTool, type RivalTool } from "../rivals.ts";
import { contender, faster, plain, row, SHORT_TICKS, unwrap, within, type Contender, type Row } from "../row.ts";

const DURABLE = "@fstools/edit, with fsync";
const NEW_TEXT = "a line that was edited";

const namesOf = (count: number) => {
  const each = count === 1 ? "" : `${count} x `;
  return {
    naive: `readFile + replace + writeFile${count === 1 ? "" : `, ${count} times`}`,
    mcp: `MCP filesystem server, ${each}edit_file`,
    gemini: `gemini-cli-core, ${each}replace`,
    pi: `pi, ${each}edit`,
  };
};

interface Work {
  readonly folder: string;
  readonly files: readonly string[];
  readonly content: Buffer;
  readonly old: string;
  readonly all?: boolean;
}

function workOf(name: string, content: Buffer, old: string, count = 1): Work {
  const folder = join(FIXTURES, "edit", `${name.replaceAll(/\W+/gu, "-")}-${content.length}`);
  mkdirSync(folder, { recursive: true });
  return { folder, content, old, files: Array.from({ length: count }, (_, index) => join(folder, `${index}.txt`)) };
}

function lineWork(bytes: number, name: string, count = 1): Work {
  const content = readFileSync(textFile(bytes));
  const start = content.indexOf("\n", content.length >>> 1) + 1;
  const old = content.subarray(start, content.indexOf("\n", start)).toString("utf8");
  if (content.indexOf(old) !== content.lastIndexOf(old)) throw new Error("The line to edit must be unique.");
  return workOf(name, content, old, count);
}

/**
 * Every contender edits files of its own, which are as they were before each sample; all must make the same of them. They
 * are on the disk by then: nobody waits for what was only just written to prepare the sample.
 */
function editing<Ready>(
  name: string,
  { files, content }: Work,
  prepare: () => Promise<Ready> | Ready,
  run: (ready: Ready) => Promise<unknown>,
): Contender {
  return contender({
    name,
    prepare: () => {
      for (const file of files) writeFileSync(file, content, { flush: true });
      return prepare();
    },
    run,
    answer: () => files.map((file) => createHash("sha256").update(readFileSync(file)).digest("hex")),
  });
}

/** Edit, or Patch for several files; a new one each time: of a file that it wrote it would know that it changed. */
function ours(name: string, work: Work, durable: boolean): Contender {
  const { folder, files, old, content, all } = work;
  const [path = ""] = files;
  const options = { projectRoot: folder, durable, maxFileBytes: 64 * MIB };
  if (files.length === 1) {
    const params = { path, old_string: old, new_string: NEW_TEXT, replace_all: all };
    const edit = () => createEditTool(options);
    return editing(name, work, edit, async (tool) => unwrap(await tool.run(params)));
  }
  const lines = content.toString().split("\n");
  const at = lines.indexOf(old);
  const hunk = `@@\n ${lines[at - 1]}\n-${old}\n+${NEW_TEXT}\n ${lines[at + 1]}\n`;
  const sections = files.map((file) => `*** Update File: ${file}\n${hunk}`);
  const patch = `*** Begin Patch\n${sections.join("")}*** End Patch\n`;
  const make = () => createPatchTool(options);
  return editing(name, work, make, async (tool) => unwrap(await tool.run({ patch })));
}

function naive(name: string, work: Work): Contender {
  const { files, old, all = false } = work;
  const run = async () => {
    for (const file of files) {
      const text = await readFile(file, "utf8");
      await writeFile(file, all ? text.replaceAll(old, NEW_TEXT) : text.replace(old, () => NEW_TEXT));
    }
  };
  return editing(name, work, () => undefined, run);
}

function contenders(bytes: number, count = 1): Contender[] {
  const names = namesOf(count);
  const work = (name: string) => lineWork(bytes, name, count);
  const rival = (paramsOf: (path: string, old: string) => object) => (tool: RivalTool) => {
    const { files, old } = work(tool.name);
    return editing(tool.name, work(tool.name), openedOnce(tool, join(FIXTURES, "edit")), async (call) => {
      for (const file of files) await call(paramsOf(file, old));
    });
  };
  const edits = rival((path, oldText) => ({ path, edits: [{ oldText, newText: NEW_TEXT }] }));
  const instruction = "Edit one line.";
  const replace = rival((file_path, old_string) => ({ file_path, instruction, old_string, new_string: NEW_TEXT }));
  const [own, durable] = count === 1 ? ["@fstools/edit", DURABLE] : ["@fstools/patch", "@fstools/patch, with fsync"];
  return [
    ours(own, work(own), false),
    ours(durable, work(durable), true),
    naive(names.naive, work("naive")),
    ...mcpEdit(names.mcp).map(edits),
    ...rivalTool(names.gemini, "gemini", "replace", /^Successfully/u).map(replace),
    ...rivalTool(names.pi, "pi", "edit", /^Successfully/u).map(edits),
  ];
}

function keeping(): Contender[] {
  let count = 0;
  const edit = (name: string, history?: History): Contender => {
    const { folder, files, content, old } = lineWork(10 * 1024, `kept ${name}`);
    const [path = ""] = files;
    const tool = createEditTool({ projectRoot: folder, ...(history === undefined ? {} : { history }) });
    return contender({
      name,
      prepare: () => writeFileSync(path, `${++count}\n${content.toString()}`, { flush: true }),
      run: async () => unwrap(await tool.run({ path, old_string: old, new_string: NEW_TEXT })),
    });
  };
  const history = createHistory({ directory: join(FIXTURES, "history") });
  return [edit("@fstools/edit, with a history", history), edit(DURABLE)];
}

function differentFiles(): Contender[] {
  const text = (word: string) =>
    Buffer.from(Array.from({ length: 20_000 }, (_, line) => `${word} ${line} ${"-".repeat(38)}\n`).join(""));
  const request = { path: "a.txt", before: text("before"), after: text("after") };
  const diff = async () => createDiff(request, createPacer());
  return [plain("@fstools/sandbox createDiff", diff, (found) => [`${found.linesAdded} ${found.linesRemoved}`])];
}

function manyPlaces(): Contender[] {
  const content = Buffer.from("a word to replace in a line of 40 bytes\n".repeat(400_000));
  const work = (name: string): Work => ({ ...workOf(name, content, "word"), all: true });
  return [ours("@fstools/edit", work("many ours"), false), naive(namesOf(1).naive, work("many naive"))];
}

const [one, twenty] = [namesOf(1), namesOf(20)];
const fasterThan = (...names: readonly string[]) => [...names.map((name) => faster(name, 1)), SHORT_TICKS];
const fasterThanAll = fasterThan(one.naive, one.mcp, one.gemini, one.pi);
const patchTargets = [within(twenty.naive, 2), ...fasterThan(twenty.mcp, twenty.gemini, twenty.pi)];

export const editRows: readonly Row[] = [
  row("edit-10k", "Edit, one line of 10 KB", [within(one.naive, 1.2), SHORT_TICKS], () => contenders(10 * 1024)),
  row("edit-history", "Edit, one line of 10 KB, with a history", [within(DURABLE, 1.6), SHORT_TICKS], keeping),
  row("edit-1m", "Edit, one line of 1 MB", fasterThanAll, () => contenders(MIB)),
  row("edit-10m", "Edit, one line of 10 MB", fasterThanAll, () => contenders(10 * MIB), "full"),
  row("edit-many", "Edit, 400,000 places in 16 MB", [SHORT_TICKS], manyPlaces, "full"),
  row("diff-different", "Diff of two quite different files of 1 MB", [{ tickAtMostMs: 200 }], differentFiles),
  row("patch-20", "Patch, one line of each of 20 files of 10 KB", patchTargets, () => contenders(10 * 1024, 20)),
];
