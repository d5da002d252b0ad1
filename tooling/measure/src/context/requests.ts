import type { Dialect } from "./drivers/dialect.ts";
import type { Call } from "./drivers/driver.ts";
import type { Files } from "./fixtures.ts";

export interface Request {
  readonly id: string;
  readonly ask: string;
  readonly call: (dialect: Dialect) => Call;
  readonly parts: Parts;
}

interface Parts {
  readonly names?: readonly string[];
  readonly lines?: readonly string[];
  readonly says?: readonly RegExp[];
}

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

function withoutLayout(line: string): string {
  return line.replace(/^\s*(?:L|Line )?(\d+)[\s:|→.-]*/u, "$1 ").slice(0, 300);
}

const many = <Item>(count: number, itemOf: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => itemOf(index));

const LIST_SIZES = [10, 100, 1000, 10_000, 100_000];
const WORD = "Alpha beta gamma delta.";

export function requestFiles(): Files {
  const files = new Map<string, Buffer>();
  const add = (path: string, content: string | Buffer) => files.set(path, Buffer.from(content));
  for (const size of LIST_SIZES) for (const name of listNames(size)) add(`lists/${size}/${name}`, "");
  for (const path of codePaths()) add(path, codeOf(path));
  for (const count of [50, 500, 5000]) add(`text/${count}.txt`, numberedText(count));
  add("text/min.js", `var a={${many(110_000, (index) => `k${index}:${index % 97}`).join(",")}};\n`);
  add("text/chinese.txt", many(200, (index) => `${chinese(index)}\n`).join(""));
  add("text/wide.log", many(40, (index) => `${wide(index)}\n`).join(""));
  add("text/config.tsx", "1\n");
  add("text/data.bin", Buffer.concat([Buffer.from([0, 1, 2, 3]), Buffer.alloc(5000, 9)]));
  add("text/dot.png", Buffer.from(PNG, "base64"));
  add("edit/settings.ts", numberedText(120));
  return files;
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function listNames(size: number): string[] {
  const width = String(size - 1).length;
  return many(size, (index) => `invoice-${String(index).padStart(width, "0")}.pdf`);
}

/** 1,000 files in 40 directories; 40 of them are called index.ts. */
function codePaths(): string[] {
  return many(1000, (index) => {
    const module = `code/module-${String(index % 40).padStart(2, "0")}`;
    return `${module}/${index < 40 ? "index" : `part-${String(index).padStart(4, "0")}`}.ts`;
  });
}

function codeOf(path: string): string {
  const rare = path === "code/module-07/part-0127.ts" ? "export const rareWord = 1;\n" : "";
  return `// ${path.slice(-7)}\n${rare}export const commonWord = "${path.length}";\n`;
}

const textLines = (count: number) => many(count, (index) => textLine(index + 1));
const numberedText = (count: number) => `${textLines(count).join("\n")}\n`;
const textLine = (number: number) => `${WORD} Item ${(number * 7919) % 10_007} of ${number % 13}.`;
const chinese = (index: number) => `第${index}条：订单已经确认，客户将在三个工作日内收到货物。`;
const wide = (index: number) => `{"n":${index},"trace":"${`frame${index} `.repeat(330)}"}`;

/** A first look at a file leaves the size of the page to the tool. */
const WHOLE = { from: 1, count: Infinity, goesOn: false };
const request = (id: string, ask: string, call: Request["call"], parts: Parts): Request => ({ id, ask, call, parts });
const reading = (id: string, ask: string, path: string, parts: Parts) =>
  request(`read-${id}`, `read ${ask}`, (dialect) => dialect.read(path, WHOLE), parts);
const moduleNames = codePaths().flatMap((path) => (path.endsWith("/index.ts") ? [path.split("/").at(-2) ?? ""] : []));
const fileNames = codePaths().map((path) => path.slice(path.lastIndexOf("/") + 1));
const grep = (id: string, ask: string, word: string, parts: Parts) =>
  request(`grep-${id}`, `search a word that occurs ${ask}`, (dialect) => dialect.search({ word, path: "code" }), parts);
const edit = (id: string, ask: string, before: string, after: string, ...says: readonly RegExp[]) =>
  request(id, ask, (dialect) => dialect.edit("edit/settings.ts", [{ before, after }]), { says });
const thousands = (count: number) => count.toLocaleString("en");

export const REQUESTS: readonly Request[] = [
  ...LIST_SIZES.map((size) => {
    const names = listNames(size);
    return request(`list-${size}`, `list ${thousands(size)} files`, ({ list }) => list(`lists/${size}`, {}), { names });
  }),
  request("glob-40", "glob, 40 matches in 40 directories", ({ find }) => find("**/index.ts", "code", {}), {
    names: moduleNames,
  }),
  request("glob-1000", "glob, 1,000 matches", ({ find }) => find("**/*.ts", "code", {}), {
    names: [...new Set(fileNames)],
  }),
  ...[50, 500, 5000].map((count) =>
    reading(String(count), `${thousands(count)} lines`, `text/${count}.txt`, { lines: textLines(count) }),
  ),
  request(
    "read-200-of-5000",
    "read the first 200 of 5,000 lines",
    (dialect) => dialect.read("text/5000.txt", { ...WHOLE, count: 200 }),
    { lines: textLines(200) },
  ),
  reading("minified", "one line of 1 MB", "text/min.js", { says: [/k0:0,k1:1,/u, /k100:3/u] }),
  reading("chinese", "200 lines of Chinese", "text/chinese.txt", { lines: many(200, chinese) }),
  reading("wide", "40 lines of 2,600 characters", "text/wide.log", { lines: many(40, wide) }),
  reading("missing", "a file that is missing (config.ts, beside config.tsx)", "text/config.ts", {
    says: [/not? .*(?:exist|found)|no such|ENOENT/iu, /config\.tsx/u],
  }),
  reading("directory", "a directory as if it were a file", "code/module-03", {
    says: [/director|EISDIR|is_directory/iu],
  }),
  reading("binary", "a binary file", "text/data.bin", { says: [/binary|octet-stream/iu] }),
  reading("image", "a picture (without its bytes)", "text/dot.png", {
    says: [/binary|image|png.*attach|\[attachment\]/iu],
  }),
  grep("rare", "once in 1,000 files", "rareWord", { says: [/part-0127\.ts/u, /2[:\s-].*rareWord = 1/u] }),
  grep("common", "1,000 times in 1,000 files", "commonWord", { names: fileNames }),
  edit(
    "edit",
    "change one line of 120",
    `${textLine(60)}\n`,
    "const changed = true;\n",
    /edited|success|replaced|applied|```diff/iu,
    /const changed = true/u,
  ),
  edit(
    "edit-failed",
    "change a line that is not there as given",
    textLine(70).replace("beta", "betas"),
    "nothing",
    /not found|could not find|0 occurrences|no exact match|not.*match/iu,
    /\b70\b/u,
  ),
];
