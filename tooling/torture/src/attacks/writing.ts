import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createFileVersions } from "@fstools/sandbox";
import type { Arena, Attack } from "../attack.ts";
import { examine } from "../examine.ts";
import type { Random } from "../random.ts";
import { createWriters, victimNamed, type Victim } from "../tools.ts";

const TEMPORARY = /^\.fstools-[\da-f]{16}\.tmp$/u;
const LETTERS = ["a", "b", " ", "\t", "é", "漢", "😀", "ab", "$&", "<", ">", "  a"];
const LINE_ENDS = ["\n", "\r\n", "\r"];
const BAD_BYTES = [[0xff], [0xc3], [0xe6, 0xbc], [0x80]];
const FILES = 6;

/** Random edits and writes beside a model of the files: exactly what was asked for changes, and nothing else. */
export const writing: Attack = {
  name: "writing",
  what: "random edits and writes of hostile bytes, at the same time, against what a plain reference makes of them",
  minimum: { full: 5000, short: 50 },
  run: async (arena) => {
    const root = join(arena.folder, "project");
    mkdirSync(root);
    const victims = createWriters({ projectRoot: root, versions: createFileVersions() }, (error) => {
      arena.tally.violation(`internal error: ${String(error)}`);
    });
    const counts = { made: 0, refused: 0, conflicts: 0 };
    const hasStruck = () => counts.made > 0 && counts.refused > 0 && counts.conflicts > 0;
    const worker = async (file: number) => {
      // A new name each time: of an old one the tools would know that it changed.
      for (let strikes = 0; arena.goOn(hasStruck()); strikes++) {
        await strike(arena, root, `f-${file}-${strikes}.txt`, victims, counts);
        rmSync(join(root, `f-${file}-${strikes}.txt`));
      }
    };
    await Promise.all(Array.from({ length: FILES }, (_, file) => worker(file)));
    const left = readdirSync(root).filter((name) => TEMPORARY.test(name));
    if (left.length > 0) arena.tally.violation(`temporary files were left: ${left.join(", ")}`);
    if (!hasStruck()) arena.tally.violation(`the attack is blunt: ${JSON.stringify(counts)}`);
    arena.tally.note("made", String(counts.made));
    arena.tally.note("refused", String(counts.refused));
    arena.tally.note("conflicts", String(counts.conflicts));
  },
};

interface Counts {
  made: number;
  refused: number;
  conflicts: number;
}

async function strike(
  { random, tally }: Arena,
  root: string,
  name: string,
  victims: readonly Victim[],
  counts: Counts,
): Promise<void> {
  const path = join(root, name);
  const before = randomBytes(random);
  const mode = random.pick([0o644, 0o600, 0o755, 0o640]);
  writeFileSync(path, before);
  chmodSync(path, mode);
  const complain = (what: string) => {
    tally.violation(`${what}; file ${before.toString("hex")}`);
  };
  // Another program saves the file while the tool works: that change must never be lost.
  const isInterfering = random.chance(0.3);
  const expected = expectation(random, before);
  const call = examine(tally, victimNamed(victims, "Edit"), { path: name, ...expected.params });
  const theirs = Buffer.concat([before, Buffer.from("#THEIRS#")]);
  if (isInterfering) {
    for (let turn = random.integer(0, 3); turn > 0; turn--) await new Promise(setImmediate);
    writeFileSync(`${path}.theirs`, theirs);
    renameSync(`${path}.theirs`, path);
  }
  const response = await call;
  const after = readFileSync(path);
  if (isInterfering) {
    if (!after.includes("#THEIRS#")) complain(`a change that somebody else made is lost: ${expected.what}`);
    if (response?.error?.code === "CONFLICT") counts.conflicts++;
    return;
  }
  if (response?.status === "error") counts.refused++;
  else counts.made++;
  if (!after.equals(expected.bytes)) {
    complain(`${expected.what} made ${after.toString("hex")}, not ${expected.bytes.toString("hex")}`);
  }
  if ((response?.status === "error") !== expected.isRefused) complain(`${expected.what}: ${response?.text ?? ""}`);
  if ((statSync(path).mode & 0o777) !== mode) complain(`${expected.what} changed the mode ${mode.toString(8)}`);
  if (random.chance(0.1)) await writeAnew({ random, tally }, root, victims);
}

interface Expectation {
  readonly what: string;
  readonly params: object;
  readonly isRefused: boolean;
  readonly bytes: Buffer;
}

/** An edit of a part of the file that can be found exactly, and what a plain search in the bytes makes of it. */
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
  return {
    what: JSON.stringify({ old, replacement, all }),
    params: { old_string: old, new_string: replacement, replace_all: all },
    isRefused: !isFound || isBinary(before),
    bytes: isBinary(before) ? before : Buffer.from(next, "latin1"),
  };
}

function overlaps(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) count++;
  return count - (text.split(wanted).length - 1);
}

function isBinary(bytes: Buffer): boolean {
  return bytes.includes(0);
}

function randomBytes(random: Random): Buffer {
  const pieces = Array.from({ length: random.integer(1, 40) }, () => {
    if (random.chance(0.1)) return Buffer.from(random.pick(BAD_BYTES));
    return Buffer.from(random.chance(0.2) ? random.pick(LINE_ENDS) : random.pick(LETTERS));
  });
  return Buffer.concat(pieces);
}

/** A file that is there already is replaced only if it was read; a new one appears complete. */
async function writeAnew(
  { random, tally }: Pick<Arena, "random" | "tally">,
  root: string,
  victims: readonly Victim[],
): Promise<void> {
  const name = `new/${random.integer(0, 1000)}/${random.integer(0, 1e9)}.txt`;
  const content = randomBytes(random).toString("utf8");
  const response = await examine(tally, victimNamed(victims, "Write"), { path: name, content });
  if (response?.status !== "success") tally.violation(`Write ${name}: ${response?.text ?? ""}`);
  else if (!existsSync(join(root, name)) || readFileSync(join(root, name), "utf8") !== content) {
    tally.violation(`Write ${name} did not write what it was given`);
  }
}
