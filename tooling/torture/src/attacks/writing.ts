import { createFileVersions } from "@fstools/sandbox";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack } from "../attack.ts";
import type { Random } from "../random.ts";
import type { Tools } from "../tools.ts";

const TEMPORARY = /^\.fstools-[\da-f]{16}\.tmp$/u;
const LETTERS = ["a", "b", " ", "\t", "é", "漢", "😀", "ab", "$&", "<", ">", "  a"];
const LINE_ENDS = ["\n", "\r\n", "\r"];
const BAD_BYTES = [[0xff], [0xc3], [0xe6, 0xbc], [0x80]];

export const writing: Attack = {
  name: "writing",
  what: "edits and writes hostile bytes at random, several files at once, beside a plain model of the files",
  minimum: { full: 5000, short: 50 },
  mustSee: ["made", "refused", "conflicts"],
  run: async (arena) => {
    const { call } = arena.tools({ versions: createFileVersions() });
    // A new name each time: of an old one the tools would know that it changed.
    await arena.repeat(6, async (turn) => strike(arena, `f-${turn}.txt`, call));
    const left = readdirSync(arena.root).filter((name) => TEMPORARY.test(name));
    if (left.length > 0) arena.tally.violation(`temporary files were left: ${left.join(", ")}`);
  },
};

async function strike(arena: Arena, name: string, call: Tools["call"]): Promise<void> {
  const { random, root, tally } = arena;
  const path = join(root, name);
  const before = randomBytes(random);
  const mode = random.pick([0o644, 0o600, 0o755, 0o640]);
  writeFileSync(path, before);
  chmodSync(path, mode);
  const { what, params, isRefused, bytes } = expectation(random, before);
  const complain = (problem: string) => tally.violation(`${what}: ${problem}; file ${before.toString("hex")}`);
  // Another program saves the file while the tool works: that change must never be lost.
  const isInterfering = random.chance(0.3);
  const answering = call("Edit", { path: name, ...params });
  if (isInterfering) {
    for (let turn = random.integer(0, 3); turn > 0; turn--) await new Promise(setImmediate);
    writeFileSync(`${path}.theirs`, Buffer.concat([before, Buffer.from("#THEIRS#")]));
    renameSync(`${path}.theirs`, path);
  }
  const answer = await answering;
  const after = readFileSync(path);
  if (isInterfering) {
    if (!after.includes("#THEIRS#")) complain("a change that somebody else made is lost");
    if (answer?.error?.code === "CONFLICT") tally.saw("conflicts");
  } else {
    tally.saw(answer?.status === "error" ? "refused" : "made");
    if (!after.equals(bytes)) complain(`made ${after.toString("hex")}, not ${bytes.toString("hex")}`);
    if ((answer?.status === "error") !== isRefused) complain(answer?.text ?? "");
    if ((statSync(path).mode & 0o777) !== mode) complain(`changed the mode ${mode.toString(8)}`);
    if (random.chance(0.1)) await writeAnew(arena, call);
  }
  rmSync(path);
}

interface Expectation {
  readonly what: string;
  readonly params: object;
  readonly isRefused: boolean;
  readonly bytes: Buffer;
}

function expectation(random: Random, before: Buffer): Expectation {
  const text = before.toString("latin1");
  const start = random.integer(0, Math.max(0, before.length - 1));
  const part = before.subarray(start, start + random.integer(1, 6)).toString("utf8");
  // Only whole characters, none that stands for bad bytes or for a line end, and no blanks that Edit may pass over.
  const letters = Array.from(part).filter((letter) => !["\ufffd", "\r", "\n"].includes(letter));
  const old = letters.join("").trim() || "zzz";
  const replacement = `${random.pick(LETTERS)}!${random.pick(LETTERS)}`;
  const wanted = Buffer.from(old).toString("latin1");
  const places = text.split(wanted).length - 1 + overlaps(text, wanted);
  const all = random.chance(0.3);
  const isFound = all ? text.includes(wanted) : places === 1;
  const next = isFound ? text.split(wanted).join(Buffer.from(replacement).toString("latin1")) : text;
  const isBinary = before.includes(0);
  return {
    what: JSON.stringify({ old, replacement, all }),
    params: { old_string: old, new_string: replacement, replace_all: all },
    isRefused: !isFound || isBinary,
    bytes: isBinary ? before : Buffer.from(next, "latin1"),
  };
}

function overlaps(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) count++;
  return count - (text.split(wanted).length - 1);
}

function randomBytes(random: Random): Buffer {
  const pieces = Array.from({ length: random.integer(1, 40) }, () => {
    if (random.chance(0.1)) return Buffer.from(random.pick(BAD_BYTES));
    return Buffer.from(random.chance(0.2) ? random.pick(LINE_ENDS) : random.pick(LETTERS));
  });
  return Buffer.concat(pieces);
}

/** A file that is there already is replaced only if it was read; a new one appears complete. */
async function writeAnew({ random, root, tally }: Arena, call: Tools["call"]): Promise<void> {
  const name = `new/${random.integer(0, 1000)}/${random.integer(0, 1e9)}.txt`;
  const content = randomBytes(random).toString("utf8");
  const answer = await call("Write", { path: name, content });
  if (answer?.status !== "success") tally.violation(`Write ${name}: ${answer?.text ?? ""}`);
  else if (!existsSync(join(root, name)) || readFileSync(join(root, name), "utf8") !== content)
    tally.violation(`Write ${name} did not write what it was given`);
}
