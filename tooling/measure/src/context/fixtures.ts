import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pdf, picture } from "./media.ts";

export type Files = ReadonlyMap<string, Buffer>;

/** The same directory for every set of tools, since many print absolute paths: their length is a cost. */
export const PROJECT = join(tmpdir(), "fstools-context", "acme-shop");

/** Directories beside it: that of the requests, and one for the tasks that are about two. */
export const DESK = join(tmpdir(), "fstools-context", "acme-list");
export const LIBRARY = join(tmpdir(), "fstools-context", "acme-lib");

interface WriteOptions {
  readonly below?: string;
  readonly newest?: readonly string[];
}

/** Writes files into an empty directory, or puts those below one of its directories back as they were. All were changed long ago, but for the newest. */
export function writeFiles(root: string, files: Files, { below = "", newest = [] }: WriteOptions = {}): void {
  rmSync(join(root, below), { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const wanted = [...files].filter(([path]) => path.startsWith(below));
  const directories = new Set(wanted.map(([path]) => dirname(join(root, path))));
  for (const directory of directories) mkdirSync(directory, { recursive: true });
  const time = new Date("2026-01-02T03:04:05Z");
  for (const [path, content] of wanted) {
    writeFileSync(join(root, path), content);
    utimesSync(join(root, path), time, time);
  }
  for (const [index, path] of newest.entries()) {
    const later = new Date(Date.now() - (newest.length - index) * 600_000);
    utimesSync(join(root, path), later, later);
  }
}

const MODULES = 60;
const WORDS = "order price stock cart invoice refund customer address payment ledger parcel voucher".split(" ");

/** A shop in TypeScript with what real projects have: tests, logs, built files, installed packages, old encodings. */
export function shopFiles(): Files {
  const files = new Map<string, Buffer>();
  const add = (path: string, content: string | Buffer) => files.set(path, Buffer.from(content));
  const texts = readFileSync(new URL("../../shop.json", import.meta.url), "utf8");
  for (const [path, text] of Object.entries(JSON.parse(texts) as Record<string, string>)) add(path, text);
  for (let module = 0; module < MODULES; module++) addModule(add, module);
  addPlaces(add);
  addLargeFiles(add);
  addEncodings(add);
  addEditingFiles(add);
  return files;
}

type Add = (path: string, content: string | Buffer) => void;

function moduleName(module: number): string {
  return `${WORDS[module % WORDS.length] ?? ""}-${String(module).padStart(2, "0")}`;
}

export function libraryFiles(): Files {
  return new Map([
    ["retry.ts", Buffer.from("export const RETRY_LIMIT = 3;\nexport const RETRY_WAIT_MS = 250;\n")],
    ["weights.ts", Buffer.from(source(11, 3))],
    ["README.md", Buffer.from("# Acme library\n")],
  ]);
}

function addModule(add: Add, module: number): void {
  const name = moduleName(module);
  const kinds = ["index", "service", "model", "handler", "types", "client", "cache", "events", "errors"];
  for (const [kind, file] of kinds.entries()) add(`src/${name}/${file}.ts`, source(module, kind));
  add(`src/${name}/service.test.ts`, source(module, kinds.length));
}

/** Code of 20 to 60 lines; some of them are notes, and some files use the class that tasks ask for. */
function source(module: number, kind: number): string {
  const seed = module * 31 + kind * 17;
  const lines = [`// ${moduleName(module)}: part ${kind}`, `import { log } from "../log.js";`, ""];
  for (let index = 0; index < 20 + (seed % 40); index++) {
    const word = WORDS[(seed + index) % WORDS.length] ?? "";
    lines.push(`\tconst ${word}${index} = await log.${word}(${(seed * 7919 + index * 104729) % 9973});`);
    if ((seed + index) % 19 === 0) lines.push(`\t// TODO: check ${word}${index} against the ledger`);
    if ((seed + index) % 283 === 5) lines.push(`\tconst book${index} = new PriceBook("${word}");`);
  }
  return `${lines.join("\n")}\n`;
}

function addPlaces(add: Add): void {
  for (let index = 0; index < 12; index++) {
    add(`docs/guide-${String(index).padStart(2, "0")}.md`, `# Guide ${index}\n\n${"Words. ".repeat(20 + index)}\n`);
    add(`photos/photo-${index}.raw`, Buffer.alloc(1000 + ((index * 577) % 997), 7));
  }
  for (let index = 0; index < 37; index++) add(`locales/${String(index).padStart(2, "0")}.json`, `{ "n": ${index} }\n`);
  for (let index = 0; index < 1000; index++) add(`uploads/receipt-${String(index).padStart(4, "0")}.txt`, `${index}\n`);
  add("assets/logo.png", Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"));
  add("assets/index.db", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4000)]));
}

/** Names of the shop's guides in the order in which they were changed last, the newest at the end. */
export const CHANGED_LAST = ["docs/guide-03.md", "docs/guide-09.md", "docs/guide-07.md"];

export const TERMS = ["Orders", "Payment", "Refunds", "Parcels", "Ledger"].map((title, page) => [
  `${page + 1}. ${title}`,
  ...Array.from({ length: 20 }, (_, line) => `${title} are settled by rule ${page * 20 + line + 1} of this shop.`),
]);

function addLargeFiles(add: Add): void {
  const numbers = Array.from({ length: 5000 }, (_, index) => `row ${index + 1}: ${(index * 7919) % 1000}`);
  add("data/rows.txt", `${numbers.join("\n")}\n`);
  add("logs/app.log", logLines(7000, 5).join("\n") + "\n");
  add("logs/year.log", logLines(120_000, 997).join("\n") + "\n");
  const fields = Array.from({ length: 60_000 }, (_, index) => `k${index}:${(index * 31) % 977}`);
  fields.splice(41_000, 0, 'apiVersion:"2026-07-19"');
  add("public/vendor.min.js", `var v={${fields.join(",")}};\n`);
  const path = Array.from({ length: 6000 }, (_, index) => `L${(index * 13) % 97},${(index * 7) % 89}`);
  add("data/coast.wkt", `# coast\nLINESTRING (${path.join(" ")}) id=coast-line\n# end\n`);
  add("assets/banner.png", picture(317, 94));
  add("docs/terms.pdf", pdf(TERMS));
}

function logLines(count: number, failing: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const level = index % failing === 3 ? "ERROR" : "INFO";
    const time = new Date(1_767_312_000_000 + index * 1000).toISOString();
    return `${time} ${level} order=${100_000 + index} ${WORDS[index % WORDS.length] ?? ""} took ${(index * 37) % 900} ms`;
  });
}

function addEncodings(add: Add): void {
  // 订单编号 / 客户名称 / 退款原因 in GB18030.
  const gb = ["b6a9b5a5b1e0bac5", "bfcdbba7c3fbb3c6", "cdcbbfeed4add2f2"].map((hex) => Buffer.from(hex, "hex"));
  const lineEnd = Buffer.from("\n");
  add("legacy/labels.txt", Buffer.concat(gb.flatMap((line) => [line, lineEnd])));
  add("legacy/report.txt", Buffer.from("\uFEFFregion;total\nNordwest;48151\nSüdost;62342\n", "utf16le"));
  add("legacy/names.csv", Buffer.from("id;name;limit\n1;Jos\xe9;100\n2;Ana;250\n", "latin1"));
}

function addEditingFiles(add: Add): void {
  add("edits/once.ts", source(3, 1).replace("part 1", "timeout = 30"));
  add("edits/rename.ts", source(7, 2).replaceAll("voucher", "coupon"));
  // Two words in GB18030, with =10 and =20 behind them.
  add("edits/labels.txt", Buffer.from("b6a9b5a53d31300abfcdbba73d32300a", "hex"));
  add("edits/mixed.csv", Buffer.from("id;name;limit\n1;Jos\xe9;100\n2;Ana;250\n", "latin1"));
  const cells = Array.from({ length: 5000 }, (_, index) => `cell ${index + 1} = ${(index * 31) % 1009}\n`);
  add("edits/rows.txt", cells.join(""));
  for (let index = 0; index < 6; index++)
    add(`edits/lib/part-${index}.ts`, `import { oldHelper } from "./h.js";\noldHelper(${index});\noldHelper();\n`);
  const uses = [1, 3, 2, 1, 4, 2];
  for (const [index, count] of uses.entries()) add(`edits/rename/part-${index}.ts`, renamedSource(index, count));
  add("edits/three/client.ts", `${source(2, 8)}export const retries = 3;\n`);
  add("edits/three/server.ts", `export const limitMs = 3000;\n${source(4, 8)}`);
  add("edits/old/place.ts", source(5, 4));
  add("edits/old/unused.ts", source(5, 5));
  for (let index = 0; index < 12; index++) add(`edits/pack/item-${index}.ts`, source(index, 6));
  add("edits/template.ts", source(9, 3));
  add("edits/report.ipynb", notebook());
}

function renamedSource(index: number, count: number): string {
  const [head = "", , ...rest] = source(index, 7).split("\n");
  const lines = Array.from({ length: count }, (_, use) => `\tconst mass${use} = parcelWeight(parts[${use}]);`);
  const first = index === 0 ? "export function parcelWeight(part) {" : 'import { parcelWeight } from "./part-0.js";';
  return [head, first, ...lines, ...rest].join("\n");
}

function notebook(): string {
  const cells = WORDS.slice(0, 6).map((word, index) => {
    const source = [`rows = load("${word}.csv")\n`, `rate = 0.${index + 1}\n`, `print("${word}:", sum(rows) * rate)`];
    return { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source };
  });
  return `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}
