/* global AbortController, AbortSignal, DOMException */
/**
 * Real calls on the packed packages, each answer written down so that it can be compared with another runtime's.
 * It is copied next to an installation of the packages and run there: suite.js <project> <answers.json> [--no-links]
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDeleteTool } from "@fstools/delete";
import { createEditTool } from "@fstools/edit";
import { createGlobTool } from "@fstools/glob";
import { createGrepTool } from "@fstools/grep";
import { createLsTool } from "@fstools/ls";
import { createMoveTool } from "@fstools/move";
import { createPatchTool } from "@fstools/patch";
import { checkResponse, createTruncator, renderForModel } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createOpencodeReadEnvelopeTool, createOpencodeReadTool } from "@fstools/read-opencode";
import { createFileVersions, createOutputStore, createSandbox } from "@fstools/sandbox";
import { createWriteTool } from "@fstools/write";

const [project, answersFile, option] = process.argv.slice(2);
const isWindows = process.platform === "win32";
const hasLinks = option !== "--no-links";
const answers = {};

makeProject();
const sandbox = createSandbox({ projectRoot: project, workingDir: "src", deny: ["private"] });
const tools = createTools(sandbox);

const CALLS = [
  ["LS", {}],
  ["LS", { path: "..", include_hidden: true }],
  ["LS", { path: ".", limit: 1 }],
  ["LS", { path: "..", ignore: ["*.md", "src"] }],
  ["LS", { path: "nowhere" }],
  ["LS", { path: "main.ts" }],
  ["LS", { path: "../.." }],
  ["LS", { path: "/" }],
  ["LS", { path: 7 }],
  ["LS", { patn: "." }],
  ["LS", { path: "../private" }],
  ["Glob", { pattern: "**/*.ts" }],
  ["Glob", { pattern: "**/*", include_hidden: true, include_ignored: true }],
  ["Glob", { pattern: "src/{main,util}.ts" }],
  ["Glob", { pattern: "src\\*.ts" }],
  ["Glob", { pattern: "*.nothing" }],
  ["Glob", { pattern: "app/[id]/*.tsx" }],
  ["Glob", { pattern: "MAIN.ts", path: "src" }],
  ["Grep", { pattern: "export", output_mode: "files" }],
  ["Grep", { pattern: "answer = (\\d+)", context: 1 }],
  ["Grep", { pattern: "export", include: "*.ts", output_mode: "count" }],
  ["Grep", { pattern: "password" }],
  ["Read", { path: "src/main.ts" }],
  ["Read", { path: "main.ts" }],
  ["Read", { path: "src/main.ts", start_line: 2, limit: 1 }],
  ["Read", { path: "src/crlf.txt" }],
  ["Read", { path: "src/utf16.txt" }],
  ["Read", { path: "src/latin1.txt" }],
  ["Read", { path: "src/latin1.txt", encoding: "latin1" }],
  ["Read", { path: "src/image.png" }],
  ["Read", { path: "src/empty.txt" }],
  ["Read", { path: "src/long.txt", start_line: 400 }],
  ["Read", { path: "src/mian.ts" }],
  ["Read", { path: "src" }],
  ["Read", { path: ".env" }],
  ["Read", { path: ".env.example" }],
  ["Read", { path: "../outside.txt" }],
  ["Read", { path: join(project, "..", "outside.txt") }],
  ["Read", { path: join(project, "src", "main.ts") }],
  ["Read", { path: "日本語.txt" }],
  ["Read", { path: "a\0b" }],
  ["read", { filePath: "main.ts" }],
  ["read", { filePath: "." }],
  ["read", { filePath: "nowhere.ts" }],
  ["read", { filePath: "../private/key.txt" }],
  // These change files, so they come last.
  ["Write", { path: "made/new/file.txt", content: "one\ntwo\n" }],
  ["Write", { path: "made/new/file.txt", content: "one\ntwo\n" }],
  ["Write", { path: "made/new/file.txt", content: "three\n" }],
  ["Read", { path: "made/new/file.txt" }],
  ["Write", { path: "README.md", content: "unseen\n" }],
  ["Write", { path: ".git/hooks/pre-commit", content: "x" }],
  ["Write", { path: ".env", content: "x" }],
  ["Write", { path: "../made.txt", content: "x" }],
  ["Edit", { path: "src/main.ts", old_string: "answer = 42", new_string: "answer = 43" }],
  ["Edit", { path: "src/main.ts", old_string: "nowhere", new_string: "x" }],
  ["Edit", { path: "src/main.ts", old_string: "export", new_string: "import", dry_run: true }],
  ["Edit", { path: "src/main.ts", old_string: "export", new_string: "import", replace_all: true, dry_run: true }],
  ["Edit", { path: "src/crlf.txt", old_string: "one\ntwo", new_string: "1\n2" }],
  ["Edit", { path: "src/utf16.txt", old_string: "bits", new_string: "bytes" }],
  ["Read", { path: "src/main.ts" }],
  ["Read", { path: "src/crlf.txt" }],
  ["Read", { path: "src/utf16.txt" }],
  [
    "Patch",
    {
      patch:
        "*** Update File: src/main.ts\n*** Move to: made/main.ts\n*** Add File: made/b.txt\n+b\n*** Delete File: made/new/file.txt",
    },
  ],
  ["Patch", { patch: "*** Update File: src/crlf.txt\n@@\n-1\n+one\n+more\n*** Update File: nowhere.txt\n-x" }],
  ["Patch", { patch: "--- a/src/crlf.txt\n+++ b/src/crlf.txt\n@@ -1 +1,2 @@\n-1\n+one\n+more\n" }],
  ["Move", { from: "made", to: "moved/here" }],
  ["Move", { from: "moved/here/b.txt", to: "moved/c.txt", copy: true }],
  ["Move", { from: "moved/c.txt", to: "moved/here/b.txt" }],
  ["Delete", { path: "moved" }],
  ["Delete", { path: "moved/here", recursive: true, dry_run: true }],
  ["Delete", { path: "moved", recursive: true }],
  ["Delete", { path: ".git" }],
  // For the questions below.
  ["Write", { path: "src/main.ts", content: "export const answer = 43;\n" }],
  ["Glob", { pattern: "**/*.tmp", include_hidden: true }],
];

/** What only a system with links can be asked. */
const LINK_CALLS = [
  ["LS", {}],
  ["Read", { path: "file" }],
  ["Read", { path: "outside" }],
  ["Read", { path: "nowhere" }],
  ["Glob", { pattern: "*" }],
];

for (const [name, params] of CALLS) await recordCall(tools, "", name, params);
if (hasLinks) {
  const linked = makeLinks();
  for (const [name, params] of LINK_CALLS) await recordCall(linked, "with links: ", name, params);
}

await record("Read, aborted", () => {
  const controller = new AbortController();
  controller.abort();
  return tools.Read.run({ path: "src/main.ts" }, { signal: controller.signal });
});
await record("Read, after its time", () =>
  tools.Read.run({ path: "src/main.ts" }, { signal: AbortSignal.abort(new DOMException("late", "TimeoutError")) }),
);
await record("read, opencode's own face", () => createOpencodeReadTool({ sandbox }).execute({ filePath: "crlf.txt" }));
await record("read, opencode's own error", async () => {
  const error = await createOpencodeReadTool({ sandbox })
    .execute({ filePath: "none.ts" })
    .catch((reason) => reason);
  return { name: error.name, code: error.code, message: error.message };
});
await record("a truncated answer", async () => {
  const truncate = createTruncator({ store: createOutputStore(sandbox), maxLines: 20 });
  const paths = Array.from({ length: 100 }, (_, index) => `src/file-${index}.ts`);
  const response = await truncate("Glob", {
    status: "success",
    data: { paths, truncated: false },
    text: "Found 100 files",
    stats: { time_ms: 1 },
    context: { cwd: ".", params_input: {} },
  });
  const saved = await tools.Read.run({ path: response.data.truncation.full_output_path });
  return { response, saved: saved.status };
});
await record("a project root that is not there", () => {
  try {
    createSandbox({ projectRoot: join(project, "nowhere") });
    return "made";
  } catch (error) {
    return error.message;
  }
});
if (isWindows) await recordWindows();

writeFileSync(answersFile, JSON.stringify({ verification: sandbox.verification, answers }, undefined, 2));
// Nothing may keep the process alive; some runtimes need to be told.
process.exit(0);

async function recordWindows() {
  const expectations = [
    ["path_resolved is as the disk spells it", "Read", { path: "SRC/MAIN.TS" }, "src/main.ts"],
    ["backslashes separate names", "Read", { path: "src\\main.ts" }, "src/main.ts"],
    ["both separators", "Read", { path: "src\\deep/er.txt" }, "src/deep/er.txt"],
    ["the root in another case", "Read", { path: `${project.toUpperCase()}\\src\\main.ts` }, "src/main.ts"],
    ["the drive in another case", "LS", { path: project.replace(/^C:/u, "c:") }, "."],
    ["slashes after a drive", "LS", { path: project.replaceAll("\\", "/") }, "."],
    ["a denied name in another case", "Read", { path: ".ENV" }, "ACCESS_DENIED"],
    ["a denied name with a dot", "Read", { path: ".env." }, "ACCESS_DENIED"],
    ["a denied name with a blank", "Read", { path: ".env " }, "ACCESS_DENIED"],
    ["a stream of a denied file", "Read", { path: ".env::$DATA" }, "ACCESS_DENIED"],
    ["a directory in another case", "LS", { path: "..\\PRIVATE" }, "ACCESS_DENIED"],
    ["another drive", "Read", { path: "Z:\\etc\\passwd" }, "ACCESS_DENIED"],
    ["a rooted path", "Read", { path: "\\windows\\win.ini" }, "ACCESS_DENIED"],
  ];
  for (const [what, name, params, expected] of expectations) {
    const response = await tools[name].run(params);
    const got = response.error?.code ?? response.context.path_resolved;
    answers[`Windows: ${what}`] =
      got === expected ? "as expected" : `expected ${expected}, but got ${got}: ${response.text}`;
  }
  const { output } = await createOpencodeReadTool({ sandbox }).execute({ filePath: "deep/er.txt" });
  const shown = /<path>(.*)<\/path>/u.exec(output)?.[1];
  const isNative = shown?.toLowerCase() === join(project, "src", "deep", "er.txt").toLowerCase();
  answers["Windows: <path> has one kind of separator"] = isNative ? "as expected" : `got ${shown}`;
}

function createTools(sandbox) {
  const versions = createFileVersions();
  return {
    LS: createLsTool({ sandbox }),
    Glob: createGlobTool({ sandbox }),
    Grep: createGrepTool({ sandbox, ripgrepPath: false }),
    Read: createReadTool({ sandbox, versions }),
    Edit: createEditTool({ sandbox, versions }),
    Write: createWriteTool({ sandbox, versions }),
    Patch: createPatchTool({ sandbox, versions }),
    Move: createMoveTool({ sandbox, versions }),
    Delete: createDeleteTool({ sandbox, versions }),
    read: createOpencodeReadEnvelopeTool({ sandbox }),
  };
}

function recordCall(tools, prefix, name, params) {
  return record(`${prefix}${name} ${JSON.stringify(params)}`, async () => {
    const response = await tools[name].run(params);
    return { response, violations: checkResponse(response), view: renderForModel(response) };
  });
}

async function record(what, work) {
  let answer;
  try {
    answer = await work();
  } catch (error) {
    answer = { threw: `${error.name}: ${error.message}` };
  }
  const isTime = (key) => /(?:time|mtime)_ms$/u.test(key);
  const text = JSON.stringify(answer, (key, value) => (isTime(key) ? 0 : value));
  answers[comparable(what)] = JSON.parse(comparable(text));
}

/** Times, and where the project happens to be, are not part of an answer. */
function comparable(json) {
  const inJson = (path) => JSON.stringify(path).slice(1, -1);
  return json
    .replaceAll(inJson(project), "PROJECT")
    .replaceAll(inJson(dirname(project)), "PARENT")
    .replaceAll(/(?<=(?:PROJECT|PARENT)[^"\n]*)\\\\/gu, "/")
    .replaceAll(/(?:Took | in )\d+ms/gu, "TIME")
    .replaceAll(/tool_\d{8}_\d{6}_/gu, "tool_NOW_");
}

function makeProject() {
  rmSync(project, { recursive: true, force: true });
  for (const directory of ["src/deep", "app/[id]", "private", "node_modules/x", ".hidden"]) {
    mkdirSync(join(project, directory), { recursive: true });
  }
  const files = {
    "README.md": "# Project\n",
    "src/main.ts":
      'import { half } from "./util.ts";\n\nexport const answer = 42;\nexport const other = half(answer);\n',
    "src/util.ts": "export function half(value: number): number {\n  return value / 2;\n}\n",
    "src/deep/er.txt": "deep\n",
    "src/crlf.txt": "one\r\ntwo\rthree\n",
    "src/utf16.txt": Buffer.from("\uFEFFsixteen\nbits\n", "utf16le"),
    "src/latin1.txt": Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
    "src/image.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    "src/empty.txt": "",
    "src/long.txt": Array.from({ length: 1000 }, (_, index) => `line ${index + 1}\n`).join(""),
    "app/[id]/page.tsx": "export default function Page() {}\n",
    ".env": "password=1\n",
    ".env.example": "password=\n",
    "private/key.txt": "password\n",
    "node_modules/x/index.js": "",
    ".hidden/file": "",
    "日本語.txt": "こんにちは\n",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(project, name), content);
  writeFileSync(join(project, "..", "outside.txt"), "outside\n");
}

function makeLinks() {
  const root = join(project, "..", "linked");
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "src", "main.ts"), "export {};\n");
  symlinkSync("src/main.ts", join(root, "file"));
  symlinkSync("../outside.txt", join(root, "outside"));
  symlinkSync("nothing", join(root, "nowhere"));
  symlinkSync("src", join(root, "directory"));
  return createTools(createSandbox({ projectRoot: root }));
}
