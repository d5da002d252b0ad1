import { asNobody } from "@fstools/testing/as-nobody";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { sourcesAreReadable } from "../processes.ts";
import { filesIn, itemsIn, stringsIn } from "../examine.ts";
import { lay } from "../project.ts";
import type { Tally } from "../tally.ts";
import type { Tools } from "../tools.ts";

const DEPTH = 5000;
const LINKS = 10_000;
const GREPS = ["Grep", "Grep in JavaScript"];
const IGNORE_FILES = ["pipe", "link", "giant", "stars", "plain"];

export const hostileTrees: Attack = {
  name: "hostile trees",
  what: "lays 5,000 levels, 10,000 links in a loop, pipes, devices, closed directories, names of every byte, hostile ignore files",
  minimum: { full: 1000, short: 20 },
  run: async ({ root, tally, tools, goOn }) => {
    for (const lay of [deepDirectories, links, namesOfEveryByte, ignoreFiles, closedPlaces]) lay(root);
    const closeSocket = await specialFiles(root);
    const scene = createScene(tally, tools({ gitignore: true }));
    do {
      for (const check of [checkDepth, checkLoops, checkSpecial, checkNames, checkIgnored]) await check(scene);
      if (sourcesAreReadable()) await asNobody(() => checkClosed(scene));
    } while (goOn());
    closeSocket();
  },
};

type Scene = ReturnType<typeof createScene>;

function createScene({ violation: complain }: Tally, { call }: Tools) {
  const refused = async (tool: string, params: object, ...codes: readonly string[]) => {
    const answer = await call(tool, params);
    if (codes.includes(answer?.error?.code ?? "")) return;
    complain(`${tool} ${JSON.stringify(params)} is not refused with ${codes.join(" or ")}: ${answer?.text ?? ""}`);
  };
  return { call, complain, refused };
}

/** Deeper than a path can be written: chains of directories are moved to the bottom of others. */
function deepDirectories(root: string): void {
  const perChain = 500;
  const chain = Array.from({ length: perChain }, () => "d").join("/");
  const [top, next] = [join(root, "deep"), join(root, "next")];
  for (let made = 0; made < DEPTH; made += perChain) {
    mkdirSync(join(next, chain), { recursive: true });
    if (made === 0) writeFileSync(join(next, chain, "bottom.ts"), "bottom\n");
    else renameSync(top, join(next, chain, "d"));
    renameSync(next, top);
  }
}

async function checkDepth({ call, refused, complain }: Scene): Promise<void> {
  const answer = await call("Glob", { pattern: "deep/**/*.ts" });
  if (answer?.status === "success" && stringsIn(answer, "paths").length === 0)
    complain(`Glob says that nothing is in the deep directory: ${answer.text}`);
  const deepPath = `deep/${"d/".repeat(DEPTH)}bottom.ts`;
  for (const tool of ["LS", "Read"]) await refused(tool, { path: deepPath }, "INVALID_PARAM", "NOT_FOUND");
  await call("LS", { path: `deep/${"d/".repeat(1500)}` });
  for (const tool of GREPS) await call(tool, { pattern: "bottom", path: "deep" });
}

function links(root: string): void {
  mkdirSync(join(root, "loop"));
  for (let index = 0; index < LINKS; index++)
    symlinkSync(`link-${(index + 1) % LINKS}`, join(root, "loop", `link-${index}`));
  lay(root, ["cycle/inner/file.ts"], "file\n");
  for (let index = 0; index < 50; index++) symlinkSync("..", join(root, `cycle/inner/up-${index}`));
}

async function checkLoops({ call, refused, complain }: Scene): Promise<void> {
  await refused("Read", { path: "loop/link-0" }, "INVALID_PARAM");
  await refused("LS", { path: "loop/link-77" }, "INVALID_PARAM");
  await refused("read 1.2", { filePath: "loop/link-5" }, "INVALID_PARAM");
  const listed = await call("LS", { path: "loop", limit: 200, offset: 5000 });
  // On a busy machine its time may be over, which it says.
  if (listed?.stats.total_entries !== LINKS && listed?.text.includes("Listing timed out") !== true)
    complain(`LS counts ${String(listed?.stats.total_entries)} links`);
  const once = (tool: string, paths: readonly string[]) => {
    if (paths.join() !== "cycle/inner/file.ts") complain(`${tool} went round in circles: ${paths.join()}`);
  };
  once("Glob", stringsIn(await call("Glob", { pattern: "cycle/**/*.ts" }), "paths"));
  for (const tool of GREPS) {
    once(tool, filesIn(await call(tool, { pattern: "file", path: "cycle" })));
    await call(tool, { pattern: "x", path: "loop" });
  }
}

async function specialFiles(root: string): Promise<() => void> {
  mkdirSync(join(root, "special"));
  execFileSync("mkfifo", [join(root, "special/pipe")]);
  // Only root may; elsewhere the directory simply has no device.
  if (process.geteuid?.() === 0) execFileSync("mknod", [join(root, "special/device"), "c", "1", "5"]);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(root, "special/socket"), resolve));
  server.unref();
  return () => server.close();
}

async function checkSpecial({ call, refused, complain }: Scene): Promise<void> {
  const listed = itemsIn(await call("LS", { path: "special" }), "entries");
  for (const { path, type } of listed) {
    if (type !== "file") complain(`LS calls ${path} a ${type}`);
    for (const tool of ["Read", "LS"]) await refused(tool, { path }, "INVALID_PARAM");
    await refused("read 1.2", { filePath: path }, "INVALID_PARAM");
    for (const tool of ["Glob", ...GREPS]) await refused(tool, { pattern: "x", path }, "INVALID_PARAM");
  }
  if (listed.length < 2) complain("LS does not show the pipe and the socket");
}

function namesOfEveryByte(root: string): void {
  mkdirSync(join(root, "names"));
  for (let byte = 1; byte < 256; byte++) {
    if (byte === 0x2f) continue;
    const name = Buffer.concat([Buffer.from(`${root}/names/n`), Buffer.from([byte]), Buffer.from("x.txt")]);
    writeFileSync(name, "named\n");
  }
}

async function checkNames({ call, complain }: Scene): Promise<void> {
  for (const offset of [0, 200]) {
    const listed = await call("LS", { path: "names", include_hidden: true, limit: 200, offset });
    for (const { path = "" } of itemsIn(listed, "entries")) {
      // What is not UTF-8 has no name that a tool could be given.
      if (path.includes("\ufffd")) continue;
      const read = await call("Read", { path });
      if (read?.status !== "success")
        complain(`Read cannot open what LS shows: ${JSON.stringify(path)}: ${read?.text ?? ""}`);
    }
  }
  const named = (tool: string, paths: readonly string[]) => {
    const odd = paths.find((path) => !path.startsWith("names/n"));
    if (odd !== undefined) complain(`${tool} made up ${JSON.stringify(odd)}`);
  };
  for (const tool of GREPS) named(tool, filesIn(await call(tool, { pattern: "named", path: "names", limit: 200 })));
  named("Glob", stringsIn(await call("Glob", { pattern: "names/*", limit: 200 }), "paths"));
}

/** Ignore files that would hang, lead out, or hold the event loop; each ignores b.ts or nothing. */
function ignoreFiles(root: string): void {
  const place = (name: string) => join(root, "ignore", name);
  for (const name of IGNORE_FILES) {
    lay(place(name), ["a.ts", `${"a".repeat(200)}.ts`], "file\n");
  }
  execFileSync("mkfifo", [place("pipe/.gitignore")]);
  symlinkSync("/dev/zero", place("link/.gitignore"));
  writeFileSync(place("giant/.gitignore"), "x*y[0-9]?z\nnever\n".repeat(100_000));
  const stars = [`${"*a".repeat(500)}x`, `${"**/a*/".repeat(500)}x`, `${"[!b]*".repeat(500)}x`];
  writeFileSync(place("stars/.gitignore"), stars.join("\n"));
  writeFileSync(place("plain/.gitignore"), "b.ts\n");
  writeFileSync(place("plain/b.ts"), "ignored\n");
}

async function checkIgnored({ call, complain }: Scene): Promise<void> {
  const found = stringsIn(await call("Glob", { pattern: "ignore/**/*.ts", limit: 200 }), "paths");
  if (found.length !== 10 || found.includes("ignore/plain/b.ts")) complain(`Glob ignores otherwise: ${found.join()}`);
  for (const name of IGNORE_FILES) {
    const entries = itemsIn(await call("LS", { path: `ignore/${name}` }), "entries");
    if (entries.length !== 2) complain(`LS ignores otherwise in ${name}: ${JSON.stringify(entries)}`);
  }
}

function closedPlaces(root: string): void {
  lay(root, ["closed/inner/file.ts", "closed-file.ts"], "closed\n");
  for (const name of ["closed/inner", "closed-file.ts"]) chmodSync(join(root, name), 0);
}

/** Root may read everything, so this is tried as nobody. */
async function checkClosed({ call, refused, complain }: Scene): Promise<void> {
  for (const tool of GREPS) await refused(tool, { pattern: "closed", path: "closed-file.ts" }, "PERMISSION_DENIED");
  await refused("Read", { path: "closed-file.ts" }, "PERMISSION_DENIED");
  await refused("read 1.2", { filePath: "closed-file.ts" }, "PERMISSION_DENIED");
  await refused("LS", { path: "closed/inner" }, "ACCESS_DENIED");
  for (const tool of ["Glob", ...GREPS]) {
    const answer = await call(tool, tool === "Glob" ? { pattern: "closed/**" } : { pattern: "closed", path: "closed" });
    if (answer?.status !== "partial" || answer.stats.skipped !== 1)
      complain(`${tool} does not say that it skipped a closed directory: ${answer?.text ?? ""}`);
  }
}
