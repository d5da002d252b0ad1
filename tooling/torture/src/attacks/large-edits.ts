import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEditTool } from "@fstools/edit";
import iconv from "iconv-lite";
import type { Attack } from "../attack.ts";
import { examine } from "../examine.ts";
import type { Random } from "../random.ts";
import { victimOf } from "../tools.ts";

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const FILE_CHARS = 1_000_000;
const ENCODINGS = ["utf-8", "utf-16le", "shift_jis", "gb18030", "windows-1252"];

interface Hostile {
  readonly content: string;
  readonly edits: readonly { old_string: string; new_string: string; replace_all?: boolean }[];
}

export const largeEdits: Attack = {
  name: "large edits",
  what: "edits periodic texts, long lines, with many edits and huge strings, in every encoding",
  minimum: { full: 200, short: 9 },
  mustSee: ["escaped"],
  run: async ({ random, root, tally, repeat }) => {
    const onInternalError = (error: unknown) => tally.violation(`internal error: ${String(error)}`);
    const options = { projectRoot: root, durable: false, maxFileBytes: MAX_FILE_BYTES, onInternalError };
    const victim = victimOf("Edit", createEditTool(options));
    await repeat(1, async (turn) => {
      const shape = SHAPES[turn % SHAPES.length] ?? overlapping;
      const { content, edits } = shape(random);
      const encoding = random.pick(ENCODINGS);
      const end = random.pick(["\n", "\r\n", "\r"]);
      // A new file each time: of an old one the tool would know that it changed.
      const path = `file-${turn}.txt`;
      writeFileSync(join(root, path), iconv.encode(content.replaceAll("\n", end), encoding));
      const answer = await examine(tally, victim, { path, edits, encoding }, { longestCallMs: 20_000 });
      rmSync(join(root, path));
      tally.saw(shape.name);
      const size = Number(answer?.stats.file_size_bytes ?? 0);
      if (size > MAX_FILE_BYTES) tally.violation(`${shape.name}: wrote ${size} bytes`);
    });
  },
};

const fill = (unit: string) => unit.repeat(Math.ceil(FILE_CHARS / unit.length));
const one = (old_string: string, new_string = "x", replace_all = false) => [{ old_string, new_string, replace_all }];

function overlapping(random: Random): Hostile {
  const unit = random.pick(["a", "ab", "aab "]);
  return { content: fill(unit), edits: one(unit.repeat(random.integer(1, 300_000))) };
}

function differentAtOneEnd(random: Random): Hostile {
  const same = "a".repeat(random.integer(100, 300_000));
  return { content: fill("a"), edits: one(random.pick([`b${same}`, `${same}b`, `${same}b${same}`])) };
}

function periodicLines(random: Random): Hostile {
  const lines = random.pick(["a \n", "  a\n", "\ta b\n"]).repeat(random.integer(10, 100_000));
  const odd = random.pick(["b\n", " a\n", "\n"]);
  return { content: fill("  a\n"), edits: one(random.chance(0.5) ? odd + lines : lines + odd) };
}

function longLastLine(random: Random): Hostile {
  const content = `a\nb\n${"ab,".repeat(random.integer(1000, 300_000))}`;
  return { content, edits: one(",", random.pick(["\n", ";", "\n\n"]), true) };
}

function manyEdits(random: Random): Hostile {
  const content = Array.from(
    { length: 20_000 },
    (_, line) => `line ${line} ${random.chance(0.5) ? " " : ""}\nend\n`,
  ).join("");
  const edits = Array.from({ length: random.integer(100, 3000) }, (_, index) => ({
    old_string: `line ${index * 6}${random.pick([" ", "  ", ""])}\nend\n`,
    new_string: `row ${index}\n`,
  }));
  return { content, edits };
}

function hugeStrings(random: Random): Hostile {
  const [old, replacement] = [random.integer(1, 20_000_000), random.integer(1, 20_000_000)];
  return {
    content: random.pick(["1\n2\n", fill("1\n")]),
    edits: one("1\n".repeat(old >> 1), "2\n".repeat(replacement >> 1)),
  };
}

function growing(random: Random): Hostile {
  return { content: fill(random.pick(["a", "a\n"])), edits: one("a", "b".repeat(random.integer(10, 100_000)), true) };
}

function numbered(random: Random): Hostile {
  const style = random.pick(["\t", " | ", ": ", ":"]);
  const old = Array.from({ length: random.integer(1000, 200_000) }, (_, index) => `${index + 1}${style}a`).join("\n");
  return { content: fill("a\n"), edits: one(old, random.chance(0.5) ? old.replaceAll("a", "b") : "b") };
}

function escaped(random: Random): Hostile {
  const unit = random.pick(['\\"', "\\\\", "\\n", "\\"]);
  return { content: fill(random.pick(['"', "\\", "\n"])), edits: one(unit.repeat(random.integer(1, 500_000)), unit) };
}

const SHAPES = [
  ...[overlapping, differentAtOneEnd, periodicLines, longLastLine, manyEdits],
  ...[hugeStrings, growing, numbered, escaped],
];
