import type { Dialect } from "./drivers/dialect.ts";
import type { Call } from "./drivers/driver.ts";
import type { Files } from "./fixtures.ts";

/** One request that is made of every set of tools, in one call. */
export interface Request {
  readonly id: string;
  readonly ask: string;
  readonly call: (dialect: Dialect) => Call;
  readonly parts: Parts;
}

/** What an answer may show of what was asked for: words that are no part of longer ones, numbered lines, facts. */
interface Parts {
  readonly names?: readonly string[];
  readonly lines?: readonly string[];
  readonly says?: readonly RegExp[];
}

/** How much was asked for. */
export function partCount({ parts: { names = [], lines = [], says = [] } }: Request): number {
  return names.length + lines.length + says.length;
}

/** Which parts of a request an answer shows; of a long line its beginning is enough. The JSON of a shell counts as what it holds. */
export function shownParts({ parts: { names = [], lines = [], says = [] } }: Request, answer: string): boolean[] {
  const isJson = /^\{"(?:stdout|content)":/u.test(answer);
  const text = isJson ? Object.values(JSON.parse(answer) as object).join("\n") : answer;
  const words = new Set(names.length > 0 ? text.split(/[\s/:]+/u) : []);
  const numbered = new Set(lines.length > 0 ? text.split("\n").map(withoutLayout) : []);
  return [
    ...names.map((name) => words.has(name)),
    ...lines.map((line, index) => numbered.has(withoutLayout(`${index + 1} ${line}`))),
    ...says.map((pattern) => pattern.test(text)),
  ];
}

/** A numbered line without the signs between number and text, shortened. */
function withoutLayout(line: string): string {
  return line.replace(/^\s*(?:L|Line )?(\d+)[\s:|→.-]*/u, "$1 ").slice(0, 300);
}

const LIST_SIZES = [10, 100, 1000, 10_000, 100_000];
const WORD = "Alpha beta gamma delta.";

/** The files that the requests are about; lists that are asked for by name have no content. */
export function requestFiles(): Files {
  const files = new Map<string, Buffer>();
  const add = (path: string, content: string | Buffer) => files.set(path, Buffer.from(content));
  for (const size of LIST_SIZES) for (const name of listNames(size)) add(`lists/${size}/${name}`, "");
  for (const path of codePaths()) add(path, codeOf(path));
  for (const count of [50, 500, 5000]) add(`text/${count}.txt`, numberedText(count));
  add(
    "text/min.js",
    `var a={${Array.from({ length: 110_000 }, (_, index) => `k${index}:${index % 97}`).join(",")}};\n`,
  );
  add("text/chinese.txt", Array.from({ length: 200 }, (_, index) => `${chinese(index)}\n`).join(""));
  add("text/wide.log", Array.from({ length: 40 }, (_, index) => `${wide(index)}\n`).join(""));
  add("text/config.tsx", "1\n");
  add("text/data.bin", Buffer.concat([Buffer.from([0, 1, 2, 3]), Buffer.alloc(5000, 9)]));
  add("text/dot.png", Buffer.from(PNG, "base64"));
  add("edit/settings.ts", numberedText(120));
  return files;
}

/** A whole picture of one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function listNames(size: number): string[] {
  const width = String(size - 1).length;
  return Array.from({ length: size }, (_, index) => `invoice-${String(index).padStart(width, "0")}.pdf`);
}

/** 1,000 files in 40 directories; 40 of them are called index.ts. */
function codePaths(): string[] {
  return Array.from({ length: 1000 }, (_, index) => {
    const module = `code/module-${String(index % 40).padStart(2, "0")}`;
    return `${module}/${index < 40 ? "index" : `part-${String(index).padStart(4, "0")}`}.ts`;
  });
}

function codeOf(path: string): string {
  const rare = path === "code/module-07/part-0127.ts" ? "export const rareWord = 1;\n" : "";
  return `// ${path.slice(-7)}\n${rare}export const commonWord = "${path.length}";\n`;
}

const textLines = (count: number) => Array.from({ length: count }, (_, index) => textLine(index + 1));
const numberedText = (count: number) => `${textLines(count).join("\n")}\n`;
const textLine = (number: number) => `${WORD} Item ${(number * 7919) % 10_007} of ${number % 13}.`;
const chinese = (index: number) => `第${index}条：订单已经确认，客户将在三个工作日内收到货物。`;
const wide = (index: number) => `{"n":${index},"trace":"${`frame${index} `.repeat(330)}"}`;

const indexFiles = () => codePaths().filter((path) => path.endsWith("/index.ts"));
const lastOne = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** A first look at a file leaves the size of the page to the tool. */
const WHOLE = { from: 1, count: Infinity, goesOn: false };

export const REQUESTS: readonly Request[] = [
  ...LIST_SIZES.map((size) => ({
    id: `list-${size}`,
    ask: `list ${size.toLocaleString("en")} files`,
    call: (dialect: Dialect) => dialect.list(`lists/${size}`, {}),
    parts: { names: listNames(size) },
  })),
  {
    id: "glob-40",
    ask: "glob, 40 matches in 40 directories",
    call: (dialect) => dialect.find("**/index.ts", "code", {}),
    parts: { names: indexFiles().map((path) => path.split("/").at(-2) ?? "") },
  },
  {
    id: "glob-1000",
    ask: "glob, 1,000 matches",
    call: (dialect) => dialect.find("**/*.ts", "code", {}),
    parts: { names: [...new Set(codePaths().map(lastOne))] },
  },
  ...[50, 500, 5000].map((count) => ({
    id: `read-${count}`,
    ask: `read ${count.toLocaleString("en")} lines`,
    call: (dialect: Dialect) => dialect.read(`text/${count}.txt`, WHOLE),
    parts: { lines: textLines(count) },
  })),
  {
    id: "read-200-of-5000",
    ask: "read the first 200 of 5,000 lines",
    call: (dialect) => dialect.read("text/5000.txt", { ...WHOLE, count: 200 }),
    parts: { lines: textLines(200) },
  },
  {
    id: "read-minified",
    ask: "read one line of 1 MB",
    call: (dialect) => dialect.read("text/min.js", WHOLE),
    parts: { says: [/k0:0,k1:1,/u, /k100:3/u] },
  },
  {
    id: "read-chinese",
    ask: "read 200 lines of Chinese",
    call: (dialect) => dialect.read("text/chinese.txt", WHOLE),
    parts: { lines: Array.from({ length: 200 }, (_, index) => chinese(index)) },
  },
  {
    id: "read-wide",
    ask: "read 40 lines of 2,600 characters",
    call: (dialect) => dialect.read("text/wide.log", WHOLE),
    parts: { lines: Array.from({ length: 40 }, (_, index) => wide(index)) },
  },
  {
    id: "read-missing",
    ask: "read a file that is missing (config.ts, beside config.tsx)",
    call: (dialect) => dialect.read("text/config.ts", WHOLE),
    parts: { says: [/not? .*(?:exist|found)|no such|ENOENT/iu, /config\.tsx/u] },
  },
  {
    id: "read-directory",
    ask: "read a directory as if it were a file",
    call: (dialect) => dialect.read("code/module-03", WHOLE),
    parts: { says: [/director|EISDIR|is_directory/iu] },
  },
  {
    id: "read-binary",
    ask: "read a binary file",
    call: (dialect) => dialect.read("text/data.bin", WHOLE),
    parts: { says: [/binary|octet-stream/iu] },
  },
  {
    id: "read-image",
    ask: "read a picture (without its bytes)",
    call: (dialect) => dialect.read("text/dot.png", WHOLE),
    parts: { says: [/binary|image|png.*attach|\[attachment\]/iu] },
  },
  {
    id: "grep-rare",
    ask: "search a word that occurs once in 1,000 files",
    call: (dialect) => dialect.search({ word: "rareWord", path: "code" }),
    parts: { says: [/part-0127\.ts/u, /2[:\s-].*rareWord = 1/u] },
  },
  {
    id: "grep-common",
    ask: "search a word that occurs 1,000 times in 1,000 files",
    call: (dialect) => dialect.search({ word: "commonWord", path: "code" }),
    parts: { names: codePaths().map(lastOne) },
  },
  {
    id: "edit",
    ask: "change one line of 120",
    call: (dialect) =>
      dialect.edit("edit/settings.ts", [{ before: `${textLine(60)}\n`, after: "const changed = true;\n" }]),
    parts: { says: [/edited|success|replaced|applied|```diff/iu, /const changed = true/u] },
  },
  {
    id: "edit-failed",
    ask: "change a line that is not there as given",
    call: (dialect) =>
      dialect.edit("edit/settings.ts", [{ before: textLine(70).replace("beta", "betas"), after: "nothing" }]),
    parts: { says: [/not found|could not find|0 occurrences|no exact match|not.*match/iu, /\b70\b/u] },
  },
];
