import { createEditTool } from "@fstools/edit";
import { createDiff, createPacer } from "@fstools/sandbox";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIXTURES, MIB, textFile } from "../fixtures.ts";
import { importPeer } from "../peer.ts";
import { contender, nothing, type Contender, type Row, type Target } from "../row.ts";
import { unwrap } from "../unwrap.ts";

const NAIVE = "readFile + replace + writeFile";
const MCP = "MCP filesystem server, edit_file";
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
function editing(name: string, work: Work, run: (work: Work) => Promise<unknown>): Contender {
  return contender({
    name,
    prepare: () => {
      writeFileSync(work.file, work.content, { flush: true });
    },
    run: async () => {
      await run(work);
    },
    answer: () => [createHash("sha256").update(readFileSync(work.file)).digest("hex")],
  });
}

function ours(bytes: number, durable: boolean): Contender {
  const work = createWork(bytes, `ours-${durable}-${bytes}`);
  const tool = createEditTool({ projectRoot: work.folder, durable, maxFileBytes: 64 * MIB });
  const path = `ours-${durable}-${bytes}.txt`;
  return editing(`@fstools/edit${durable ? ", with fsync" : ""}`, work, async ({ old }) => {
    unwrap(await tool.run({ path, old_string: old, new_string: NEW_TEXT }));
  });
}

function naive(bytes: number): Contender {
  return editing(NAIVE, createWork(bytes, `naive-${bytes}`), async ({ file, old }) => {
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replace(old, () => NEW_TEXT),
    );
  });
}

interface McpServer {
  applyFileEdits(path: string, edits: readonly { oldText: string; newText: string }[]): Promise<string>;
}

interface Pi {
  createEditTool(cwd: string): {
    execute(
      id: string,
      params: { path: string; edits: readonly { oldText: string; newText: string }[] },
    ): Promise<unknown>;
  };
}

async function peers(bytes: number): Promise<Contender[]> {
  const mcp = await importPeer<McpServer>("@modelcontextprotocol/server-filesystem", "dist/lib.js");
  const pi = await importPeer<Pi>("@mariozechner/pi-coding-agent", "dist/index.js");
  return [
    ...(mcp === undefined
      ? []
      : [
          editing(MCP, createWork(bytes, `mcp-${bytes}`), ({ file, old }) =>
            mcp.applyFileEdits(file, [{ oldText: old, newText: NEW_TEXT }]),
          ),
        ]),
    ...(pi === undefined
      ? []
      : [
          editing(PI, createWork(bytes, `pi-${bytes}`), ({ folder, file, old }) =>
            pi.createEditTool(folder).execute("1", { path: file, edits: [{ oldText: old, newText: NEW_TEXT }] }),
          ),
        ]),
  ];
}

function editRow(id: string, work: string, bytes: number, targets: readonly Target[]): Row {
  return {
    id,
    work,
    mode: bytes > MIB ? "full" : "quick",
    targets,
    contenders: async () => [ours(bytes, false), ours(bytes, true), naive(bytes), ...(await peers(bytes))],
  };
}

const LINES = 20_000;

/** Two texts of about 1 MB that share no line. */
const differentFiles: Row = {
  id: "diff-different",
  work: "diff of two quite different files of 1 MB",
  mode: "quick",
  targets: [{ tickAtMostMs: 200 }],
  contenders: () => {
    const text = (word: string) =>
      Array.from({ length: LINES }, (_, line) => `${word} ${line} ${"-".repeat(38)}\n`).join("");
    const region = { oldLine: 1, newLine: 1, oldText: text("before"), newText: text("after") };
    return [
      contender({
        name: "@fstools/sandbox createDiff",
        prepare: nothing,
        run: () => createDiff("a.txt", [region], createPacer()),
        answer: ({ linesAdded, linesRemoved }) => [`${linesAdded} ${linesRemoved}`],
      }),
    ];
  },
};

export const editRows: readonly Row[] = [
  editRow("edit-10k", "edit one line of 10 KB", 10 * 1024, [{ rival: NAIVE, timesAtMost: 1.2 }]),
  editRow("edit-1m", "edit one line of 1 MB", MIB, [
    { rival: MCP, fasterAtLeast: 1 },
    { rival: PI, fasterAtLeast: 1 },
  ]),
  editRow("edit-10m", "edit one line of 10 MB", 10 * MIB, [
    { rival: MCP, fasterAtLeast: 1 },
    { rival: PI, fasterAtLeast: 1 },
  ]),
  differentFiles,
];
