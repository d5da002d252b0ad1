import { createEditTool } from "@fstools/edit";
import { createDiff, createPacer } from "@fstools/sandbox";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIXTURES, MIB, textFile } from "../fixtures.ts";
import { geminiTool, mcpEdit, piTool, type RivalTool } from "../rivals.ts";
import { contender, nothing, type Contender, type Row, type Target } from "../row.ts";
import { unwrap } from "../unwrap.ts";

const NAIVE = "readFile + replace + writeFile";
const MCP = "MCP filesystem server, edit_file";
const GEMINI = "gemini-cli-core, replace";
const PI = "pi, edit";
const NEW_TEXT = "a line that was edited";

/** A file to edit, and a line from its middle that occurs once. */
interface Work {
  readonly folder: string;
  readonly file: string;
  readonly content: Buffer;
  readonly old: string;
}

function createWork(bytes: number, name: string): Work {
  const content = readFileSync(textFile(bytes));
  const folder = join(FIXTURES, "edit");
  mkdirSync(folder, { recursive: true });
  const start = content.indexOf("\n", content.length >>> 1) + 1;
  const old = content.subarray(start, content.indexOf("\n", start)).toString("utf8");
  if (content.indexOf(old) !== content.lastIndexOf(old)) throw new Error("The line to edit must be unique.");
  return { folder, file: join(folder, `${name}.txt`), content, old };
}

/**
 * Every contender edits a file of its own, which is as it was before each sample; all must make the same of it. It is on
 * the disk by then: nobody waits for what was only just written to prepare the sample.
 */
function editing<Ready>(
  name: string,
  work: Work,
  prepare: () => Promise<Ready> | Ready,
  run: (ready: Ready) => Promise<unknown>,
): Contender {
  return contender({
    name,
    prepare: () => {
      writeFileSync(work.file, work.content, { flush: true });
      return prepare();
    },
    run: async (ready) => {
      await run(ready);
    },
    answer: () => [createHash("sha256").update(readFileSync(work.file)).digest("hex")],
  });
}

function ours(bytes: number, durable: boolean): Contender {
  const work = createWork(bytes, `ours-${durable}-${bytes}`);
  const tool = createEditTool({ projectRoot: work.folder, durable, maxFileBytes: 64 * MIB });
  const path = `ours-${durable}-${bytes}.txt`;
  return editing(`@fstools/edit${durable ? ", with fsync" : ""}`, work, nothing, async () => {
    unwrap(await tool.run({ path, old_string: work.old, new_string: NEW_TEXT }));
  });
}

function naive(bytes: number): Contender {
  const work = createWork(bytes, `naive-${bytes}`);
  const { file, old } = work;
  return editing(NAIVE, work, nothing, async () => {
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replace(old, () => NEW_TEXT),
    );
  });
}

/** A rival's tool on a file of its own. */
function rival({ name, open }: RivalTool, bytes: number, params: (work: Work) => object): Contender {
  const work = createWork(bytes, `${name.replaceAll(/\W+/gu, "-")}-${bytes}`);
  let opened: ReturnType<RivalTool["open"]> | undefined;
  return editing(
    name,
    work,
    () => (opened ??= open(work.folder)),
    (tool) => tool(params(work)),
  );
}

function rivals(bytes: number): Contender[] {
  const edits = ({ file: path, old }: Work) => ({ path, edits: [{ oldText: old, newText: NEW_TEXT }] });
  const replace = ({ file, old }: Work) => ({
    file_path: file,
    instruction: "Edit one line.",
    old_string: old,
    new_string: NEW_TEXT,
  });
  return [
    ...mcpEdit(MCP).map((tool) => rival(tool, bytes, edits)),
    ...geminiTool(GEMINI, "replace").map((tool) => rival(tool, bytes, replace)),
    ...piTool(PI, "createEditTool").map((tool) => rival(tool, bytes, edits)),
  ];
}

function editRow(id: string, work: string, bytes: number, targets: readonly Target[]): Row {
  return {
    id,
    work,
    mode: bytes > MIB ? "full" : "quick",
    targets,
    contenders: () => [ours(bytes, false), ours(bytes, true), naive(bytes), ...rivals(bytes)],
  };
}

const LONGEST_TICK = { tickAtMostMs: 50 };
const FASTER_THAN_ALL = [...[NAIVE, MCP, GEMINI, PI].map((name) => ({ rival: name, fasterAtLeast: 1 })), LONGEST_TICK];

const LINES = 20_000;

/** Two texts of about 1 MB that share no line. */
const differentFiles: Row = {
  id: "diff-different",
  work: "Diff of two quite different files of 1 MB",
  mode: "quick",
  targets: [{ tickAtMostMs: 200 }],
  contenders: () => {
    const text = (word: string) =>
      Buffer.from(Array.from({ length: LINES }, (_, line) => `${word} ${line} ${"-".repeat(38)}\n`).join(""));
    const request = { path: "a.txt", before: text("before"), after: text("after") };
    return [
      contender({
        name: "@fstools/sandbox createDiff",
        prepare: nothing,
        run: () => createDiff(request, createPacer()),
        answer: ({ linesAdded, linesRemoved }) => [`${linesAdded} ${linesRemoved}`],
      }),
    ];
  },
};

const PLACES = 400_000;

/** A file of 16 MB with a place to replace in every line. */
const manyPlaces: Row = {
  id: "edit-many",
  work: "Edit, 400,000 places in 16 MB",
  mode: "full",
  targets: [LONGEST_TICK],
  contenders: () => {
    const content = Buffer.from("a word to replace in a line of 40 bytes\n".repeat(PLACES));
    const folder = join(FIXTURES, "edit");
    mkdirSync(folder, { recursive: true });
    const work = (name: string): Work => ({ folder, file: join(folder, name), content, old: "word" });
    const [mine, plain] = [work("many-ours.txt"), work("many-naive.txt")];
    return [
      editing(
        "@fstools/edit",
        mine,
        () => createEditTool({ projectRoot: folder, durable: false }),
        async (tool) => {
          unwrap(
            await tool.run({ path: "many-ours.txt", old_string: mine.old, new_string: NEW_TEXT, replace_all: true }),
          );
        },
      ),
      editing(NAIVE, plain, nothing, async () => {
        const text = await readFile(plain.file, "utf8");
        await writeFile(plain.file, text.replaceAll(plain.old, NEW_TEXT));
      }),
    ];
  },
};

export const editRows: readonly Row[] = [
  editRow("edit-10k", "Edit, one line of 10 KB", 10 * 1024, [{ rival: NAIVE, timesAtMost: 1.2 }, LONGEST_TICK]),
  editRow("edit-1m", "Edit, one line of 1 MB", MIB, FASTER_THAN_ALL),
  editRow("edit-10m", "Edit, one line of 10 MB", 10 * MIB, FASTER_THAN_ALL),
  manyPlaces,
  differentFiles,
];
