import { GLOB_IGNORED_NAMES } from "@fstools/sandbox";
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { statSync, writeFileSync, writeSync, type Dirent } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const FIXTURES = join(tmpdir(), "fstools-bench-3");

export function removeFixtures(): void {
  rmSync(FIXTURES, { recursive: true, force: true });
}

const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

const NEEDLE = "zz/last/needle.special";
const PACKAGE_COUNT = 120;

export function sourceTree(): string {
  return once("source-tree", (root) => {
    let left = 20_000;
    const file = (...segments: string[]) => {
      if (left-- > 0) touch(join(root, ...segments));
    };
    left += 2 * 1000;
    for (let index = 0; index < 1000; index++) {
      file("node_modules", `dependency-${pad(index % 50, 3)}`, `file-${pad(index, 4)}.ts`);
      file(".git", "objects", pad(index % 50, 2), `object-${pad(index, 4)}.ts`);
    }
    file(NEEDLE);
    file("package.json");
    for (let index = 0; index < PACKAGE_COUNT; index++) sourcePackage(`pkg-${pad(index, 3)}`, file);
    for (let index = 0; left > 0; index++) file("zy-generated", pad(index % 40, 2), `table-${pad(index, 5)}.json`);
  });
}

function sourcePackage(name: string, file: (...segments: string[]) => void): void {
  file("packages", name, "package.json");
  file("packages", name, "src", "index.ts");
  for (let index = 0; index < 30; index++) file("packages", name, "src", `module-${pad(index, 2)}.ts`);
  for (let feature = 0; feature < 6; feature++) {
    for (const extension of ["ts", "tsx", "css", "json", "md"]) {
      for (let index = 0; index < 3; index++) {
        file("packages", name, "src", `feature-${feature}`, `part-${index}.${extension}`);
      }
    }
  }
  for (let index = 0; index < 30; index++) file("packages", name, "test", `case-${pad(index, 2)}.test.ts`);
}

const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|css|html|map|txt)$/u;

export function installedSources(): string {
  return once("installed-sources", (root) => {
    let left = 20_000;
    const copy = (from: string, to: string): void => {
      for (const entry of readdirSync(from, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const source = join(from, entry.name);
        // Under other names, as what is ignored or hidden would not be searched.
        const name = `${entry.name.replace(/^\./u, "dot-")}${GLOB_IGNORED_NAMES.has(entry.name) ? "-" : ""}`;
        const target = join(to, name);
        if (entry.isDirectory()) copy(source, target);
        else if (left > 0 && isSource(source, entry)) {
          mkdirSync(to, { recursive: true });
          copyFileSync(source, target);
          left--;
        }
      }
    };
    copy(fileURLToPath(new URL("../../../../node_modules/.pnpm", import.meta.url)), root);
  });
}

function isSource(path: string, entry: Dirent): boolean {
  return entry.isFile() && SOURCE.test(path) && statSync(path).size < 400_000;
}

export function millionMatches(): string {
  return once("million-matches.txt", (path) => writeFileSync(path, "a line with a needle in it\n".repeat(1_000_000)));
}

export function mixedTree(): string {
  return once("mixed-tree", (root) => {
    for (let index = 0; index < 3000; index++) touch(join(root, "many", `file-${index}.txt`));
    for (let index = 0; index < 400; index++) {
      const path = join(root, `d-${String(index % 20)}`, `f-${String(Math.floor(index / 20))}.txt`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "text\n".repeat(20));
    }
    writeFileSync(join(root, "large.txt"), "a line of some length\n".repeat(200_000));
  });
}

export const DIRECTORY_PREFIX = "directory-";

/** One directory with this many entries, ten of them directories, in no helpful order on the disk. */
export function flatDirectory(entries: number): string {
  return once(`flat-${entries}`, (root) => {
    mkdirSync(root, { recursive: true });
    for (let index = 0; index < 10; index++) mkdirSync(join(root, `${DIRECTORY_PREFIX}${index}`));
    // A step that shares no factor with the count visits every number once, scattered.
    const step = 7_368_787;
    for (let index = 0; index < entries - 10; index++) {
      closeSync(openSync(join(root, `File-${pad((index * step) % (entries - 10), 7)}.ts`), "w"));
    }
  });
}

export function textFile(bytes: number): string {
  return once(`text-${bytes}.txt`, (path) => {
    const lines = textLines(Math.min(bytes, MIB));
    const block = Buffer.from(lines.join(""));
    const file = openSync(path, "w");
    for (let written = 0, line = 1; written + block.length <= bytes; written += block.length) {
      let start = 0;
      for (const text of lines) {
        block.write(pad(line++, DIGITS), start, "latin1");
        start += Buffer.byteLength(text);
      }
      writeSync(file, block);
    }
    closeSync(file);
  });
}

const DIGITS = 9;
const TEXT_WORDS = "const return await naïve größe function => { } 0x7f 输出 undefined".split(" ");

function textLines(bytes: number): string[] {
  const lines: string[] = [];
  let length = 0;
  for (let index = 0; ; index++) {
    const words = Array.from(
      { length: index % 13 },
      (_, word) => TEXT_WORDS[(index * 7 + word * 5) % TEXT_WORDS.length],
    );
    const line = `${"0".repeat(DIGITS)} ${words.join(" ")}\n`;
    length += Buffer.byteLength(line);
    if (length > bytes) return lines;
    lines.push(line);
  }
}

const ONE_LINE_PART = '{"key":"naïve","value":[1,2,3]},';

export function oneLineChars(path: string): number {
  return (statSync(path).size / Buffer.byteLength(ONE_LINE_PART)) * ONE_LINE_PART.length;
}

export function oneLineFile(): string {
  return once("one-line.txt", (path) => {
    const block = Buffer.from(ONE_LINE_PART.repeat(32 * KIB));
    const file = openSync(path, "w");
    for (let written = 0; written < 500 * 1000 * 1000; written += block.length) writeSync(file, block);
    closeSync(file);
  });
}

function once(name: string, generate: (path: string) => void): string {
  const path = join(FIXTURES, name);
  const finished = join(FIXTURES, "finished", name);
  if (existsSync(finished) && existsSync(path)) return path;
  process.stderr.write(`  generating ${name}\n`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(finished), { recursive: true });
  generate(path);
  writeFileSync(finished, "");
  return path;
}

const madeDirectories = new Set<string>();

function touch(path: string): void {
  const directory = dirname(path);
  if (!madeDirectories.has(directory)) {
    mkdirSync(directory, { recursive: true });
    madeDirectories.add(directory);
  }
  closeSync(openSync(path, "w"));
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
