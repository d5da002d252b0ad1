/** A process of its own that suffers one fault; prints a summary. */
import { checkResponse, createTruncator } from "@fstools/protocol";
import { createGrepTool } from "@fstools/grep";
import { createOutputStore, createSandbox } from "@fstools/sandbox";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createTally } from "./attack.ts";
import { openDescriptors, settledDescriptors } from "./descriptors.ts";
import { CANARY, examine } from "./examine.ts";
import { createRandom } from "./random.ts";
import { createVictims, createWriters, victimNamed, victimOf } from "./tools.ts";
import { dataOf, filesIn, type Answer } from "./response.ts";
import { sourcesAreReadable } from "./readable-sources.ts";

const [scenario = "", folder = "", seed = ""] = process.argv.slice(2);
const random = createRandom(seed);
const tally = createTally();
process.on("unhandledRejection", (error) => {
  tally.violation(`unhandled rejection: ${String(error)}`);
});

function largeResponse(bytes: number): Answer {
  return {
    status: "success",
    data: { content: `${CANARY}-spilled\n`.repeat(Math.ceil(bytes / 20)) },
    text: "Done.",
    stats: { time_ms: 1 },
    context: { cwd: ".", params_input: {} },
  };
}

/** The caller gets the truncated answer and the reason; no broken file is left, nothing stays open. */
async function spillIsRefused(projectRoot: string, bytes: number): Promise<void> {
  const truncate = createTruncator({ store: createOutputStore(createSandbox({ projectRoot })) });
  await truncate("Torture", largeResponse(bytes));
  const before = openDescriptors();
  for (let call = 0; call < 20; call++) {
    tally.attempt();
    const response = await truncate("Torture", largeResponse(bytes + random.integer(0, 1000)));
    for (const { rule, message } of checkResponse(response)) tally.violation(`breaks ${rule}: ${message}`);
    const { data, text } = response;
    if (!String(dataOf(response, "preview")).includes(CANARY)) tally.violation("the preview is lost");
    if (JSON.stringify(data).includes("full_output_path")) tally.violation("a file is named that cannot be there");
    if (!/EFBIG|ENOSPC|EACCES|EPERM|outside|through a link|no space|denied|within|too large/iu.test(text)) {
      tally.violation(`the reason is missing: ${text}`);
    }
    if (text.includes(projectRoot)) tally.violation(`an absolute path is told: ${text}`);
  }
  if ((await settledDescriptors(before)) > before) tally.violation("descriptors stayed open");
  const output = join(projectRoot, "tool-output");
  const left = existsSync(output) ? readdirSync(output).filter((name) => name.endsWith(".json")) : [];
  for (const name of left) {
    try {
      JSON.parse(readFileSync(join(output, name), "utf8"));
    } catch {
      tally.violation(`a broken file is left behind: ${name}`);
    }
  }
}

async function closedDirectory(): Promise<void> {
  chmodSync(folder, 0o555);
  if (process.geteuid?.() === 0) process.seteuid?.(65534);
  await spillIsRefused(folder, 200_000);
}

/** A write that the system refuses changes nothing, and leaves nothing behind. */
async function writesAreRefused(sizes: readonly number[], codes: readonly string[]): Promise<void> {
  const writers = createWriters({ projectRoot: folder, requireRead: false }, (error) => {
    tally.violation(`internal error: ${String(error)}`);
  });
  const before = openDescriptors();
  const names = readdirSync(folder).sort().join();
  for (let call = 0; call < 20; call++) {
    const size = random.pick(sizes);
    const content = "x".repeat(size);
    const path = random.pick(["old.txt", "linked.txt", "new.txt", "new/deep/file.txt"]);
    const response = await examine(tally, victimNamed(writers, "Write"), { path, content });
    if (!codes.includes(response?.error?.code ?? "")) tally.violation(`Write ${path}: ${response?.text ?? ""}`);
    for (const name of ["old.txt", "linked.txt"]) {
      if (readFileSync(join(folder, name), "utf8") !== OLD) tally.violation(`${name} is not what it was`);
    }
    const now = readdirSync(folder).sort().join();
    if (now !== names) tally.violation(`a refused write left something behind: ${now}`);
  }
  if ((await settledDescriptors(before)) > before) tally.violation("descriptors stayed open");
}

const OLD = "old\n".repeat(1000);

function layFiles(): void {
  for (const name of ["old.txt", "linked.txt"]) writeFileSync(join(folder, name), OLD);
  linkSync(join(folder, "linked.txt"), join(folder, "other-name.txt"));
}

async function fullDiskWrites(): Promise<void> {
  layFiles();
  // The largest fits beside nothing; with the smaller one, a copy fits, but not a second time into the file itself.
  await writesAreRefused([1_500_000, 3_000_000], ["EXECUTION_ERROR"]);
}

async function closedDirectoryWrites(): Promise<void> {
  layFiles();
  chmodSync(folder, 0o555);
  if (process.geteuid?.() === 0) process.seteuid?.(65534);
  await writesAreRefused([10, 100_000], ["PERMISSION_DENIED"]);
}

async function outsideDirectory(): Promise<void> {
  const root = join(folder, "project");
  const outside = join(folder, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  symlinkSync(outside, join(root, "tool-output"));
  await spillIsRefused(root, 200_000);
  if (readdirSync(outside).length > 0) tally.violation(`something was written outside: ${readdirSync(outside).join()}`);
}

/** A link of the repository chooses no place inside either. */
async function linkedDirectory(): Promise<void> {
  const root = join(folder, "project");
  mkdirSync(join(root, "src"), { recursive: true });
  symlinkSync("src", join(root, "tool-output"));
  await spillIsRefused(root, 200_000);
  const written = readdirSync(join(root, "src"));
  if (written.length > 0) tally.violation(`something was written through a link: ${written.join()}`);
}

/** With no descriptor left every tool still answers; with some left again, it works again. */
async function descriptors(): Promise<void> {
  for (let index = 0; index < 30; index++) {
    mkdirSync(join(folder, `d-${index}`));
    writeFileSync(join(folder, `d-${index}`, "file.txt"), "text\n");
  }
  const victims = createVictims({ projectRoot: folder }, () => undefined);
  const calls = [
    { path: "d-1/file.txt" },
    { filePath: "d-2" },
    { path: "d-3" },
    { pattern: "**/*.txt" },
    { pattern: "text" },
    { path: "x" },
  ];
  const writers = createWriters({ projectRoot: folder }, () => undefined);
  for (const victim of victims) for (const params of calls) await examine(tally, victim, params);
  for (const victim of writers) await examine(tally, victim, { path: "d-2/new.txt", content: "x", old_string: "x" });
  const before = openDescriptors();
  for (let round = 0; round < 5; round++) {
    const held = takeDescriptors();
    const answers = victims.flatMap((victim) => calls.map((params) => examine(tally, victim, params)));
    for (const response of await Promise.all(answers)) {
      if (response?.status === "success" && response.text.includes("file.txt'"))
        tally.violation("a file was read without a descriptor");
    }
    const unwritten = [];
    for (const [name, params] of WRITES) unwritten.push(await examine(tally, victimNamed(writers, name), params));
    for (const descriptor of held) closeSync(descriptor);
    for (const response of unwritten) {
      if (response?.error?.code !== "EXECUTION_ERROR")
        tally.violation(`a write without a descriptor: ${response?.text ?? ""}`);
    }
    if (readFileSync(join(folder, "d-1/file.txt"), "utf8") !== "text\n")
      tally.violation("a refused write changed a file");
    const again = await examine(tally, victimNamed(victims, "Read"), { path: "d-1/file.txt" });
    if (again?.status !== "success") tally.violation(`it does not work again: ${again?.text ?? ""}`);
  }
  if ((await settledDescriptors(before)) > before) tally.violation("descriptors stayed open");
}

const WRITES: readonly (readonly [tool: string, params: object])[] = [
  ["Edit", { path: "d-1/file.txt", old_string: "text", new_string: "other" }],
  ["Write", { path: "d-1/new.txt", content: "new" }],
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
  const root = join(folder, "project");
  mkdirSync(join(root, "few"), { recursive: true });
  for (let index = 0; index < 300; index++) writeFileSync(join(root, `f-${index}.txt`), "text\n");
  for (let index = 0; index < 20; index++) writeFileSync(join(root, "few", `${index}.txt`), "text\n");
  // Both engines are loaded on use, and whatever loads and compiles them may keep descriptors open.
  for (const options of [{ ripgrepPath: false }, { ripgrepPath: "/nowhere/rg" }, {}] as const) {
    await createGrepTool({ projectRoot: root, ...options }).run({ pattern: "text" });
  }
  const before = openDescriptors();
  for (const [name, script] of Object.entries(IMPOSTORS)) {
    const command = join(folder, "impostor");
    writeFileSync(command, `#!/bin/sh\n${script}\n`);
    chmodSync(command, 0o755);
    const tool = createGrepTool({ projectRoot: root, ripgrepPath: command, maxDurationMs: 1000 });
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
  if ((await settledDescriptors(before)) > before) tally.violation("descriptors stayed open");
}

const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  "disk-full": () => spillIsRefused(folder, 1_000_000),
  "full-disk-writes": fullDiskWrites,
  ...(sourcesAreReadable()
    ? { "closed-directory-writes": closedDirectoryWrites, "closed-directory": closedDirectory }
    : {}),
  "outside-directory": outsideDirectory,
  "linked-directory": linkedDirectory,
  descriptors,
  impostors,
};
await scenarios[scenario]?.();
process.stdout.write(JSON.stringify(tally.summary()));
