/** A process of its own that suffers one fault; prints a summary. */
import { checkResponse, createTruncator } from "@fstools/protocol";
import { createGrepTool } from "@fstools/grep";
import { createOutputStore, createSandbox } from "@fstools/sandbox";
import { chmodSync, closeSync, existsSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutLeak, sourcesAreReadable } from "./processes.ts";
import { CANARY, examine, type Victim, dataOf, filesIn, type Answer } from "./examine.ts";
import { createRandom } from "./random.ts";
import { createTally } from "./tally.ts";
import { createTools, victimOf } from "./tools.ts";

const [scenario = "", folder = "", seed = ""] = process.argv.slice(2);
const random = createRandom(seed);
const tally = createTally();
process.on("unhandledRejection", (error) => tally.violation(`unhandled rejection: ${String(error)}`));
const path = (name: string) => join(folder, name);

function largeResponse(bytes: number): Answer {
  const data = { content: `${CANARY}-spilled\n`.repeat(Math.ceil(bytes / 20)) };
  const context = { cwd: ".", params_input: {} };
  return { status: "success", data, text: "Done.", stats: { time_ms: 1 }, context };
}

/** The caller gets the truncated answer and the reason; no broken file is left, nothing stays open. */
async function spillIsRefused(projectRoot: string, bytes: number): Promise<void> {
  const truncate = createTruncator({ store: createOutputStore(createSandbox({ projectRoot })) });
  await truncate("Torture", largeResponse(bytes));
  await withoutLeak(tally, async () => {
    for (let call = 0; call < 20; call++) {
      tally.attempt();
      const response = await truncate("Torture", largeResponse(bytes + random.integer(0, 1000)));
      for (const { rule, message } of checkResponse(response)) tally.violation(`breaks ${rule}: ${message}`);
      const { data, text } = response;
      if (!String(dataOf(response, "preview")).includes(CANARY)) tally.violation("the preview is lost");
      if (JSON.stringify(data).includes("full_output_path")) tally.violation("a file is named that cannot be there");
      if (!/EFBIG|ENOSPC|EACCES|EPERM|outside|through a link|no space|denied|within|too large/iu.test(text))
        tally.violation(`the reason is missing: ${text}`);
      if (text.includes(projectRoot)) tally.violation(`an absolute path is told: ${text}`);
    }
  });
  const output = join(projectRoot, "tool-output");
  for (const name of existsSync(output) ? readdirSync(output) : []) {
    if (name.endsWith(".json") && !isJson(readFileSync(join(output, name), "utf8")))
      tally.violation(`a broken file is left behind: ${name}`);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function closeFolder(): void {
  chmodSync(folder, 0o555);
  if (process.geteuid?.() === 0) process.seteuid?.(65534);
}

const OLD = "old\n".repeat(1000);

/** A write that the system refuses changes nothing, and leaves nothing behind. */
async function writesAreRefused(sizes: readonly number[], code: string, prepare?: () => void): Promise<void> {
  for (const name of ["old.txt", "linked.txt"]) writeFileSync(path(name), OLD);
  linkSync(path("linked.txt"), path("other-name.txt"));
  prepare?.();
  const { call } = createTools({ projectRoot: folder, requireRead: false }, tally);
  const listed = () => readdirSync(folder).sort().join();
  const names = listed();
  await withoutLeak(tally, async () => {
    for (let turn = 0; turn < 20; turn++) {
      const content = "x".repeat(random.pick(sizes));
      const file = random.pick(["old.txt", "linked.txt", "new.txt", "new/deep/file.txt"]);
      // What comes before the file that does not fit is taken back.
      const first = file === "old.txt" ? "" : "*** Update File: old.txt\n*** Move to: moved/old.txt\n";
      const change = file.startsWith("new") ? `*** Add File: ${file}\n` : `*** Update File: ${file}\n@@\n`;
      const patch = `${first}${change}+${content}`;
      const tool = random.pick(["Write", "Patch"]);
      const response = await call(tool, tool === "Write" ? { path: file, content } : { patch });
      if (response?.error?.code !== code) tally.violation(`${tool} ${file}: ${response?.text ?? ""}`);
      for (const name of ["old.txt", "linked.txt"]) {
        if (readFileSync(path(name), "utf8") !== OLD) tally.violation(`${name} is not what it was`);
      }
      if (listed() !== names) tally.violation(`a refused write left something behind: ${listed()}`);
    }
  });
}

/** Neither outside nor inside does a link of the repository choose the place of a spill. */
async function linkedOutput(target: string): Promise<void> {
  const root = path("project");
  for (const name of ["project/src", "outside"]) mkdirSync(path(name), { recursive: true });
  symlinkSync(target, join(root, "tool-output"));
  await spillIsRefused(root, 200_000);
  const written = readdirSync(join(root, target));
  if (written.length > 0) tally.violation(`something was written through a link: ${written.join()}`);
}

/** With no descriptor left every tool still answers; with some left again, it works again. */
async function descriptors(): Promise<void> {
  for (let index = 0; index < 30; index++) {
    mkdirSync(path(`d-${index}`));
    writeFileSync(path(`d-${index}/file.txt`), "text\n");
  }
  // What is unexpected to a tool without a descriptor is not looked at here.
  const { readers, writers } = createTools({ projectRoot: folder }, createTally());
  const ask = async (victim: Victim | undefined, params: object) => victim && examine(tally, victim, params);
  const named = (name: string) => [...readers, ...writers].find((victim) => victim.name === name);
  for (const victim of readers) for (const params of READS) await ask(victim, params);
  for (const victim of writers) await ask(victim, { path: "d-2/new.txt", content: "x", old_string: "x" });
  await withoutLeak(tally, async () => {
    for (let round = 0; round < 5; round++) {
      const held = takeDescriptors();
      const answers = readers.flatMap((victim) => READS.map((params) => ask(victim, params)));
      for (const response of await Promise.all(answers)) {
        if (response?.status === "success" && response.text.includes("file.txt'"))
          tally.violation("a file was read without a descriptor");
      }
      const unwritten = [];
      for (const [name, params] of WRITES) unwritten.push(await ask(named(name), params));
      for (const descriptor of held) closeSync(descriptor);
      for (const response of unwritten) {
        if (response?.error?.code !== "EXECUTION_ERROR")
          tally.violation(`a write without a descriptor: ${response?.text ?? ""}`);
      }
      if (readFileSync(path("d-1/file.txt"), "utf8") !== "text\n") tally.violation("a refused write changed a file");
      const again = await ask(named("Read"), { path: "d-1/file.txt" });
      if (again?.status !== "success") tally.violation(`it does not work again: ${again?.text ?? ""}`);
    }
  });
}

const READS = [
  ...[{ path: "d-1/file.txt" }, { filePath: "d-2" }, { path: "d-3" }],
  ...[{ pattern: "**/*.txt" }, { pattern: "text" }, { path: "x" }],
];
const WRITES: readonly (readonly [tool: string, params: object])[] = [
  ["Edit", { path: "d-1/file.txt", old_string: "text", new_string: "other" }],
  ["Write", { path: "d-1/new.txt", content: "new" }],
  ["Patch", { patch: "*** Update File: d-1/file.txt\n-text\n+other\n*** Delete File: d-2/file.txt" }],
  ["Write", { path: "d-1/new/new.txt", content: "new" }],
];

function takeDescriptors(): number[] {
  const held: number[] = [];
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch {
    return held;
  }
}

const IMPOSTORS: Readonly<Record<string, string>> = {
  ends: "exit 0",
  fails: "exit 2",
  "is killed": "kill -9 $$",
  "talks nonsense": "echo hello; cat >/dev/null",
  "never stops talking": String.raw`while :; do printf '/proc/self/fd/3\0001:1:0:\n'; done`,
  "is deaf": "exec sleep 1000",
};

/** Whatever replaces ripgrep, there is an answer, and it is complete or says that it is not. */
async function impostors(): Promise<void> {
  const root = path("project");
  mkdirSync(join(root, "few"), { recursive: true });
  for (let index = 0; index < 300; index++) writeFileSync(join(root, `f-${index}.txt`), "text\n");
  for (let index = 0; index < 20; index++) writeFileSync(join(root, "few", `${index}.txt`), "text\n");
  // Both engines are loaded on use, and whatever loads and compiles them may keep descriptors open.
  for (const options of [{ ripgrepPath: false }, { ripgrepPath: "/nowhere/rg" }, {}] as const) {
    await createGrepTool({ projectRoot: root, ...options }).run({ pattern: "text" });
  }
  await withoutLeak(tally, async () => {
    for (const [name, script] of Object.entries(IMPOSTORS)) {
      writeFileSync(path("impostor"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const tool = createGrepTool({ projectRoot: root, ripgrepPath: path("impostor"), maxDurationMs: 1000 });
      // Of many files, ripgrep is asked first which of them match; few are searched at once.
      for (const [params, files] of [
        [{ limit: 200, offset: 100 }, 200],
        [{ path: "few" }, 20],
      ] as const) {
        const response = await examine(tally, victimOf("Grep", tool), { pattern: "text", ...params });
        const isWhole = response?.status === "partial" && new Set(filesIn(response)).size === files;
        const isLate = response?.error?.code === "TIMEOUT";
        if (name === "is deaf" ? !isLate : !isWhole) tally.violation(`ripgrep ${name}: ${response?.text ?? ""}`);
      }
    }
  });
}

const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  "disk-full": () => spillIsRefused(folder, 1_000_000),
  // The largest fits beside nothing; with the smaller one, a copy fits, but not a second time into the file itself.
  "full-disk-writes": () => writesAreRefused([1_500_000, 3_000_000], "EXECUTION_ERROR"),
  ...(sourcesAreReadable() && {
    "closed-directory-writes": () => writesAreRefused([10, 100_000], "PERMISSION_DENIED", closeFolder),
    "closed-directory": async () => {
      closeFolder();
      await spillIsRefused(folder, 200_000);
    },
  }),
  "outside-directory": () => linkedOutput("../outside"),
  "linked-directory": () => linkedOutput("src"),
  descriptors,
  impostors,
};
await scenarios[scenario]?.();
process.stdout.write(JSON.stringify(tally.summary()));
