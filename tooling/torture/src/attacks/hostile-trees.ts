import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Attack, Tally } from "../attack.ts";
import { examine } from "../examine.ts";
import { entriesIn, filesIn, stringsIn, type Answer } from "../response.ts";
import { createVictims, victimNamed, type Victim } from "../tools.ts";
import { sourcesAreReadable } from "../readable-sources.ts";

const DEPTH = 5000;
const LINKS = 10_000;

/** Trees that no one would make by accident: each tool answers soundly and soon, and says the truth about them. */
export const hostileTrees: Attack = {
  name: "hostile trees",
  what: "5,000 levels, 10,000 links in a loop, pipes, sockets, devices, closed directories, names of every byte, hostile ignore files",
  minimum: { full: 1000, short: 20 },
  run: async ({ folder, tally, goOn }) => {
    const root = join(folder, "project");
    mkdirSync(root);
    const closeTree = await createHostileTree(root);
    try {
      const victims = createVictims({ projectRoot: root, gitignore: true }, (error) => {
        tally.violation(`internal error: ${String(error)}`);
      });
      const scene = createScene(tally, victims);
      do {
        await deepDirectories(scene);
        await linkLoops(scene);
        await specialFiles(scene);
        await oddNames(scene, root);
        await ignoreFiles(scene);
        if (sourcesAreReadable()) await withoutPrivileges(() => closedDirectories(scene));
      } while (goOn());
    } finally {
      closeTree();
    }
  },
};

interface Scene {
  readonly victims: readonly Victim[];
  readonly call: (tool: string, params: object) => Promise<Answer | undefined>;
  /** Complains unless the answer is an error with one of these codes. */
  readonly refused: (tool: string, params: object, ...codes: readonly string[]) => Promise<void>;
  readonly complain: (what: string) => void;
}

function createScene(tally: Tally, victims: readonly Victim[]): Scene {
  const call = (tool: string, params: object) => examine(tally, victimNamed(victims, tool), params);
  return {
    victims,
    call,
    complain: tally.violation,
    refused: async (tool, params, ...codes) => {
      const response = await call(tool, params);
      const code = response?.error?.code ?? "no error";
      if (!codes.includes(code)) {
        tally.violation(
          `${tool} ${JSON.stringify(params)}: ${code}, not ${codes.join(" or ")}: ${response?.text ?? ""}`,
        );
      }
    },
  };
}

async function createHostileTree(root: string): Promise<() => void> {
  createDeepDirectories(root);
  createLinks(root);
  createNamesOfEveryByte(root);
  createIgnoreFiles(root);
  mkdirSync(join(root, "closed", "inner"), { recursive: true });
  writeFileSync(join(root, "closed", "inner", "file.ts"), "closed\n");
  writeFileSync(join(root, "closed-file.ts"), "closed\n");
  chmodSync(join(root, "closed", "inner"), 0);
  chmodSync(join(root, "closed-file.ts"), 0);
  mkdirSync(join(root, "special"));
  execFileSync("mkfifo", [join(root, "special", "pipe")]);
  makeDevice(join(root, "special", "device"));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(root, "special", "socket"), resolve));
  server.unref();
  return () => server.close();
}

/** Deeper than a path can be written: chains of directories are moved to the bottom of others. */
function createDeepDirectories(root: string): void {
  const perChain = 500;
  const chain = Array.from({ length: perChain }, () => "d").join("/");
  const top = join(root, "deep");
  for (let made = 0; made < DEPTH; made += perChain) {
    const next = join(root, "next");
    mkdirSync(join(next, chain), { recursive: true });
    if (made === 0) writeFileSync(join(next, chain, "bottom.ts"), "bottom\n");
    else renameSync(top, join(next, chain, "d"));
    renameSync(next, top);
  }
}

function createLinks(root: string): void {
  mkdirSync(join(root, "loop"));
  for (let index = 0; index < LINKS; index++)
    symlinkSync(`link-${(index + 1) % LINKS}`, join(root, "loop", `link-${index}`));
  mkdirSync(join(root, "cycle", "inner"), { recursive: true });
  writeFileSync(join(root, "cycle", "inner", "file.ts"), "file\n");
  for (let index = 0; index < 50; index++) symlinkSync("..", join(root, "cycle", "inner", `up-${index}`));
}

function createNamesOfEveryByte(root: string): void {
  mkdirSync(join(root, "names"));
  for (let byte = 1; byte < 256; byte++) {
    if (byte === 0x2f) continue;
    const name = Buffer.concat([Buffer.from(`${root}/names/n`), Buffer.from([byte]), Buffer.from("x.txt")]);
    writeFileSync(name, "named\n");
  }
}

/** Ignore files that would hang, lead out, or hold the event loop; each ignores b.ts or nothing. */
function createIgnoreFiles(root: string): void {
  const place = (name: string) => join(root, "ignore", name);
  for (const name of ["pipe", "link", "giant", "stars", "plain"]) {
    mkdirSync(place(name), { recursive: true });
    for (const file of ["a.ts", `${"a".repeat(200)}.ts`]) writeFileSync(join(place(name), file), "file\n");
  }
  execFileSync("mkfifo", [join(place("pipe"), ".gitignore")]);
  symlinkSync("/dev/zero", join(place("link"), ".gitignore"));
  writeFileSync(join(place("giant"), ".gitignore"), "x*y[0-9]?z\nnever\n".repeat(100_000));
  const stars = [`${"*a".repeat(500)}x`, `${"**/a*/".repeat(500)}x`, `${"[!b]*".repeat(500)}x`];
  writeFileSync(join(place("stars"), ".gitignore"), stars.join("\n"));
  writeFileSync(join(place("plain"), ".gitignore"), "b.ts\n");
  writeFileSync(join(place("plain"), "b.ts"), "ignored\n");
}

/** Only root may; elsewhere the directory simply has no device. */
function makeDevice(path: string): void {
  if (process.geteuid?.() === 0) execFileSync("mknod", [path, "c", "1", "5"]);
}

async function deepDirectories({ call, refused, complain }: Scene): Promise<void> {
  const response = await call("Glob", { pattern: "deep/**/*.ts" });
  const answered = response !== undefined && (response.status !== "success" || stringsIn(response, "paths").length > 0);
  if (!answered) complain(`Glob says that nothing is in the deep directory: ${response?.text ?? ""}`);
  const deepPath = `deep/${"d/".repeat(DEPTH)}bottom.ts`;
  for (const tool of ["LS", "Read"]) await refused(tool, { path: deepPath }, "INVALID_PARAM", "NOT_FOUND");
  await call("LS", { path: `deep/${"d/".repeat(1500)}` });
  for (const tool of GREPS) await call(tool, { pattern: "bottom", path: "deep" });
}

async function linkLoops({ call, refused, complain }: Scene): Promise<void> {
  await refused("Read", { path: "loop/link-0" }, "INVALID_PARAM");
  await refused("LS", { path: "loop/link-77" }, "INVALID_PARAM");
  await refused("read 1.2", { filePath: "loop/link-5" }, "INVALID_PARAM");
  const listed = await call("LS", { path: "loop", limit: 200, offset: 5000 });
  if (listed?.stats.total_entries !== LINKS) complain(`LS counts ${String(listed?.stats.total_entries)} links`);
  const found = await call("Glob", { pattern: "cycle/**/*.ts" });
  if (stringsIn(found, "paths").join() !== "cycle/inner/file.ts") {
    complain(`Glob went round in circles: ${stringsIn(found, "paths").join()}`);
  }
  for (const tool of GREPS) {
    const searched = filesIn(await call(tool, { pattern: "file", path: "cycle" }));
    if (searched.join() !== "cycle/inner/file.ts") complain(`${tool} went round in circles: ${searched.join()}`);
    await call(tool, { pattern: "x", path: "loop" });
  }
}

async function specialFiles({ call, refused, complain }: Scene): Promise<void> {
  const listed = entriesIn(await call("LS", { path: "special" }));
  for (const { path, type } of listed) {
    if (type !== "file") complain(`LS calls ${path} a ${type}`);
    await refused("Read", { path }, "INVALID_PARAM");
    await refused("read 1.2", { filePath: path }, "INVALID_PARAM");
    await refused("LS", { path }, "INVALID_PARAM");
    await refused("Glob", { pattern: "*", path }, "INVALID_PARAM");
    for (const tool of GREPS) await refused(tool, { pattern: "x", path }, "INVALID_PARAM");
  }
  if (listed.length < 2) complain("LS does not show the pipe and the socket");
}

async function ignoreFiles({ call, complain }: Scene): Promise<void> {
  const found = stringsIn(await call("Glob", { pattern: "ignore/**/*.ts", limit: 200 }), "paths");
  if (found.length !== 10 || found.includes("ignore/plain/b.ts")) complain(`Glob ignores otherwise: ${found.join()}`);
  for (const name of ["pipe", "link", "giant", "stars", "plain"]) {
    const entries = entriesIn(await call("LS", { path: `ignore/${name}` }));
    if (entries.length !== 2) complain(`LS ignores otherwise in ${name}: ${JSON.stringify(entries)}`);
  }
}

async function oddNames({ call, complain }: Scene, root: string): Promise<void> {
  for (const offset of [0, 200]) {
    const listed = await call("LS", { path: "names", include_hidden: true, limit: 200, offset });
    for (const { path } of entriesIn(listed)) {
      // What is not UTF-8 has no name that a tool could be given.
      if (path.includes("\ufffd")) continue;
      const read = await call("Read", { path });
      if (read?.status !== "success")
        complain(`Read cannot open what LS shows: ${JSON.stringify(path)}: ${read?.text ?? ""}`);
    }
  }
  for (const tool of GREPS) {
    for (const path of filesIn(await call(tool, { pattern: "named", path: "names", limit: 200 }))) {
      if (!path.startsWith("names/n")) complain(`${tool} made up ${JSON.stringify(path)} in ${root}`);
    }
  }
  const found = await call("Glob", { pattern: "names/*", limit: 200 });
  for (const path of stringsIn(found, "paths")) {
    if (!path.startsWith("names/n")) complain(`Glob made up ${JSON.stringify(path)} in ${root}`);
  }
}

const GREPS = ["Grep", "Grep in JavaScript"];

async function closedDirectories({ call, refused, complain }: Scene): Promise<void> {
  for (const tool of GREPS) {
    await refused(tool, { pattern: "closed", path: "closed-file.ts" }, "PERMISSION_DENIED");
    const searched = await call(tool, { pattern: "closed", path: "closed" });
    if (searched?.status !== "partial" || searched.stats.skipped !== 1) {
      complain(`${tool} does not say that it skipped a closed directory: ${searched?.text ?? ""}`);
    }
  }
  await refused("Read", { path: "closed-file.ts" }, "PERMISSION_DENIED");
  await refused("read 1.2", { filePath: "closed-file.ts" }, "PERMISSION_DENIED");
  await refused("LS", { path: "closed/inner" }, "ACCESS_DENIED");
  const found = await call("Glob", { pattern: "closed/**/*.ts" });
  if (found?.status !== "partial" || found.stats.skipped !== 1) {
    complain(`Glob does not say that it skipped a closed directory: ${found?.text ?? ""}`);
  }
}

/** Root may read everything, so permissions are tried as nobody. */
async function withoutPrivileges(work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
