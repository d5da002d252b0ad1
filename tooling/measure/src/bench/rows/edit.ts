import { createEditTool } from "@fstools/edit";
import { createDiff, createHistory, createPacer, type History } from "@fstools/sandbox";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIXTURES, MIB, textFile } from "../fixtures.ts";
import { mcpEdit, openedOnce, rivalTool, type RivalTool } from "../rivals.ts";
import { contender, faster, plain, row, SHORT_TICKS, unwrap, within, type Contender, type Row } from "../row.ts";

const NAIVE = "readFile + replace + writeFile";
const MCP = "MCP filesystem server, edit_file";
const GEMINI = "gemini-cli-core, replace";
const PI = "pi, edit";
const DURABLE = "@fstools/edit, with fsync";
const NEW_TEXT = "a line that was edited";
const FOLDER = join(FIXTURES, "edit");

/** A file to edit, and a text in it. */
interface Work {
  readonly file: string;
  readonly content: Buffer;
  readonly old: string;
}

/** A file of a size, and a line from its middle that occurs once. */
function lineWork(bytes: number, name: string): Work {
  const content = readFileSync(textFile(bytes));
  const start = content.indexOf("\n", content.length >>> 1) + 1;
  const old = content.subarray(start, content.indexOf("\n", start)).toString("utf8");
  if (content.indexOf(old) !== content.lastIndexOf(old)) throw new Error("The line to edit must be unique.");
  return { file: join(FOLDER, `${name.replaceAll(/\W+/gu, "-")}-${bytes}.txt`), content, old };
}

/**
 * Every contender edits a file of its own, which is as it was before each sample; all must make the same of it. It is on
 * the disk by then: nobody waits for what was only just written to prepare the sample.
 */
function editing<Ready>(
  name: string,
  { file, content }: Work,
  prepare: () => Promise<Ready> | Ready,
  run: (ready: Ready) => Promise<unknown>,
): Contender {
  return contender({
    name,
    prepare: () => {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, content, { flush: true });
      return prepare();
    },
    run: async (ready) => {
      await run(ready);
    },
    answer: () => [createHash("sha256").update(readFileSync(file)).digest("hex")],
  });
}

function ours(name: string, work: Work, options: { durable: boolean; all?: boolean }): Contender {
  mkdirSync(FOLDER, { recursive: true });
  const params = { path: work.file, old_string: work.old, new_string: NEW_TEXT, replace_all: options.all };
  // A new one each time: of a file that it wrote it would know that it changed.
  const prepare = () => createEditTool({ projectRoot: FOLDER, durable: options.durable, maxFileBytes: 64 * MIB });
  return editing(name, work, prepare, async (tool) => {
    unwrap(await tool.run(params));
  });
}

function naive(work: Work, all = false): Contender {
  const { file, old } = work;
  const prepare = () => undefined;
  return editing(NAIVE, work, prepare, async () => {
    const text = await readFile(file, "utf8");
    await writeFile(file, all ? text.replaceAll(old, NEW_TEXT) : text.replace(old, () => NEW_TEXT));
  });
}

/** A rival's tool on a file of its own. */
function rival(tool: RivalTool, bytes: number, params: (work: Work) => object): Contender {
  const work = lineWork(bytes, tool.name);
  return editing(tool.name, work, openedOnce(tool, FOLDER), (call) => call(params(work)));
}

const DONE = /^Successfully/u;

function contenders(bytes: number): Contender[] {
  const edits = ({ file: path, old }: Work) => ({ path, edits: [{ oldText: old, newText: NEW_TEXT }] });
  const instruction = "Edit one line.";
  const replace = ({ file: file_path, old: old_string }: Work) => {
    return { file_path, instruction, old_string, new_string: NEW_TEXT };
  };
  return [
    ours("@fstools/edit", lineWork(bytes, "ours"), { durable: false }),
    ours(DURABLE, lineWork(bytes, "durable"), { durable: true }),
    naive(lineWork(bytes, "naive")),
    ...mcpEdit(MCP).map((tool) => rival(tool, bytes, edits)),
    ...rivalTool(GEMINI, "gemini", "replace", DONE).map((tool) => rival(tool, bytes, replace)),
    ...rivalTool(PI, "pi", "edit", DONE).map((tool) => rival(tool, bytes, edits)),
  ];
}

/** Every time another old content, which has to be kept. */
function keeping(): Contender[] {
  const { content, old } = lineWork(10 * 1024, "kept");
  let count = 0;
  const edit = (name: string, history?: History): Contender => {
    const path = join(FOLDER, `${name.replaceAll(/\W+/gu, "-")}.txt`);
    mkdirSync(FOLDER, { recursive: true });
    const tool = createEditTool({ projectRoot: FOLDER, ...(history === undefined ? {} : { history }) });
    return contender({
      name,
      prepare: () => {
        writeFileSync(path, `${++count}\n${content.toString()}`, { flush: true });
      },
      run: async () => unwrap(await tool.run({ path, old_string: old, new_string: NEW_TEXT })),
    });
  };
  const history = createHistory({ directory: join(FIXTURES, "history") });
  return [edit("@fstools/edit, with a history", history), edit(DURABLE)];
}

/** Two texts of about 1 MB that share no line. */
function differentFiles(): Contender[] {
  const text = (word: string) =>
    Buffer.from(Array.from({ length: 20_000 }, (_, line) => `${word} ${line} ${"-".repeat(38)}\n`).join(""));
  const request = { path: "a.txt", before: text("before"), after: text("after") };
  const diff = async () => createDiff(request, createPacer());
  return [plain("@fstools/sandbox createDiff", diff, (found) => [`${found.linesAdded} ${found.linesRemoved}`])];
}

/** A file of 16 MB with a place to replace in every line. */
function manyPlaces(): Contender[] {
  const content = Buffer.from("a word to replace in a line of 40 bytes\n".repeat(400_000));
  const work = (name: string): Work => ({ file: join(FOLDER, name), content, old: "word" });
  return [
    ours("@fstools/edit", work("many-ours.txt"), { durable: false, all: true }),
    naive(work("many-naive.txt"), true),
  ];
}

const FASTER_THAN_ALL = [...[NAIVE, MCP, GEMINI, PI].map((name) => faster(name, 1)), SHORT_TICKS];

export const editRows: readonly Row[] = [
  row("edit-10k", "Edit, one line of 10 KB", [within(NAIVE, 1.2), SHORT_TICKS], () => contenders(10 * 1024)),
  row("edit-history", "Edit, one line of 10 KB, with a history", [within(DURABLE, 1.6), SHORT_TICKS], keeping),
  row("edit-1m", "Edit, one line of 1 MB", FASTER_THAN_ALL, () => contenders(MIB)),
  row("edit-10m", "Edit, one line of 10 MB", FASTER_THAN_ALL, () => contenders(10 * MIB), "full"),
  row("edit-many", "Edit, 400,000 places in 16 MB", [SHORT_TICKS], manyPlaces, "full"),
  row("diff-different", "Diff of two quite different files of 1 MB", [{ tickAtMostMs: 200 }], differentFiles),
];
