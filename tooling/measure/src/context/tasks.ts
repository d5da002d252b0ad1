import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Refused, type Driver } from "./drivers/driver.ts";
import { TERMS, type Files } from "./fixtures.ts";

/** Changes a file as someone else would, past the tools. */
type Rewrite = (path: string, change: (before: string) => string) => void;

/** A question about the project, or a change to it, whose right answer is known from how the project was made. */
export interface Task {
  readonly id: string;
  readonly ask: string;
  /** The answer as far as the tools' answers tell it; nothing for a change. */
  readonly solve: (driver: Driver, rewrite: Rewrite) => Promise<unknown>;
  /** Whether it is about the library beside the project, too. */
  readonly library?: boolean;
  /** The right answer. */
  readonly expected: (files: Files) => unknown;
}

/** A change: right if afterwards the files are, byte for byte, what they should be. */
export interface Change extends Task {
  readonly changes: readonly string[];
}

export function isChange(task: Task): task is Change {
  return "changes" in task;
}

/** The bytes of the files that a change is about. */
export function changedFiles(root: string, { changes }: Change): Record<string, string> {
  return Object.fromEntries(changes.map((path) => [path, bytes(read(join(root, path)))]));
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.from("missing");
  }
}

const bytes = (content: Buffer) => content.toString("latin1");
const sorted = (items: readonly string[]) => [...items].sort();
const text = (files: Files, path: string) => files.get(path)?.toString() ?? "";
const lines = (files: Files, path: string) => text(files, path).split("\n").slice(0, -1);
const inDirectory = (files: Files, directory: string) =>
  sorted([
    ...new Set(
      [...files.keys()].filter((path) => path.startsWith(`${directory}/`)).map((path) => nameBelow(path, directory)),
    ),
  ]);

function nameBelow(path: string, directory: string): string {
  const [name = "", ...rest] = path.slice(directory.length + 1).split("/");
  return rest.length === 0 ? name : `${name}/`;
}

/** Every line of the project that a task means: path, number, text. */
function found(files: Files, matches: (line: string) => boolean, counts: (path: string) => boolean): string[] {
  return [...files.keys()]
    .filter(counts)
    .flatMap((path) => lines(files, path).flatMap((line, index) => (matches(line) ? [`${path}:${index + 1}`] : [])));
}

/** A change of the given files from what they were. */
function change(
  id: string,
  ask: string,
  solve: Task["solve"],
  expected: Readonly<Record<string, (before: string, files: Files) => string>>,
): Change {
  const changes = Object.keys(expected);
  return {
    id,
    ask,
    solve,
    changes,
    expected: (files) =>
      Object.fromEntries(
        Object.entries(expected).map(([path, after]) => [
          path,
          after(bytes(files.get(path) ?? Buffer.alloc(0)), files),
        ]),
      ),
  };
}

/** Reads a file; one that is not there is looked for by its name, or taken from what the answer suggests. */
async function readSomewhere(driver: Driver, path: string): Promise<string[]> {
  try {
    return await driver.read(path);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const named = [...error.message.matchAll(/'([^']*refund-policy\.ts)'/gu)].map(([, one = ""]) => one);
    const suggestion = named.find((one) => !one.endsWith(path));
    const [there = ""] =
      suggestion === undefined ? await driver.find(`**/${path.slice(path.lastIndexOf("/") + 1)}`) : [suggestion];
    return driver.read(there);
  }
}

const looking: readonly Task[] = [
  {
    id: "list-37",
    ask: "Which files are in locales?",
    solve: async ({ list }) => sorted(await list("locales")),
    expected: (files) => inDirectory(files, "locales"),
  },
  {
    id: "list-1000",
    ask: "Which files are in uploads (1,000)?",
    solve: async ({ list }) => sorted(await list("uploads")),
    expected: (files) => inDirectory(files, "uploads"),
  },
  {
    id: "count-1000",
    ask: "How many files are in uploads?",
    solve: async ({ count }) => count("uploads"),
    expected: (files) => inDirectory(files, "uploads").length,
  },
  {
    id: "list-hidden",
    ask: "What is in the project's root, hidden names included?",
    solve: async ({ list }) => sorted(await list(".", { hidden: true, ignored: true })),
    expected: (files) => sorted([...new Set([...files.keys()].map((path) => nameBelow(`./${path}`, ".")))]),
  },
  {
    id: "list-hidden-unasked",
    ask: "What is in ci? (One of two files is hidden; the question does not say so.)",
    solve: async ({ list }) => sorted(await list("ci")),
    expected: (files) => inDirectory(files, "ci"),
  },
  {
    id: "find-60",
    ask: "Which test files are there (60)?",
    solve: async ({ find }) => sorted(await find("**/*.test.ts")),
    expected: (files) => sorted([...files.keys()].filter((path) => path.endsWith(".test.ts"))),
  },
  {
    id: "find-600",
    ask: "Which TypeScript files are there (over 600)?",
    solve: async ({ find }) => sorted(await find("**/*.ts")),
    expected: (files) => sorted([...files.keys()].filter((path) => path.endsWith(".ts"))),
  },
  {
    id: "find-braces",
    ask: "Which .yaml and .svg files are there?",
    solve: async ({ find }) => sorted(await find("**/*.{yaml,svg}")),
    expected: (files) => sorted([...files.keys()].filter((path) => /\.(?:yaml|svg)$/u.test(path))),
  },
  {
    id: "find-brackets",
    ask: "Which pages are there in app/(shop)? (Two, in [id] and [...slug].)",
    solve: async ({ find, list }) => {
      const pages = await find("app/(shop)/*/page.tsx");
      if (pages.length > 0) return sorted(pages);
      return sorted((await list("app/(shop)")).map((name) => `app/(shop)/${name}page.tsx`));
    },
    expected: () => ["app/(shop)/[...slug]/page.tsx", "app/(shop)/[id]/page.tsx"],
  },
  {
    id: "find-built",
    ask: "Where is bundle.js? (It is a built file.)",
    solve: async ({ find }) => find("**/bundle.js"),
    expected: () => ["dist/bundle.js"],
  },
  {
    id: "find-other-case",
    ask: "Where is the project's readme.md? (It is README.md.)",
    solve: async ({ find, list }) => {
      const isReadme = (path: string) => path.toLowerCase() === "readme.md";
      const found = (await find("readme.md")).filter(isReadme);
      return found.length > 0 ? found : (await list(".")).filter(isReadme);
    },
    expected: () => ["README.md"],
  },
  {
    id: "newest",
    ask: "Which guide was changed last?",
    solve: async ({ newest }) => newest("**/guide-*.md"),
    expected: () => "docs/guide-07.md",
  },
  {
    id: "largest",
    ask: "Which file in photos is the largest?",
    solve: async ({ largest }) => largest("photos"),
    expected: (files) =>
      [...files]
        .filter(([path]) => path.startsWith("photos/"))
        .sort(([, one], [, other]) => other.length - one.length)[0]?.[0]
        .slice("photos/".length),
  },
  {
    id: "search-rare",
    ask: "Where is REFUND_WINDOW_DAYS defined, and what is it?",
    solve: async ({ search }) => search({ word: "REFUND_WINDOW_DAYS" }),
    expected: () => [{ file: "src/order-00/refund-policy.ts", line: 1, text: "export const REFUND_WINDOW_DAYS = 37;" }],
  },
  {
    id: "search-symbol",
    ask: "Which files mention PriceBook? (One of them is a hidden workflow.)",
    solve: async ({ filesWith }) => sorted(await filesWith({ word: "PriceBook", hidden: true })),
    expected: (files) => sorted([...files.keys()].filter((path) => text(files, path).includes("PriceBook"))),
  },
  {
    id: "search-common",
    ask: "How many lines of src say TODO (over 1,000)?",
    solve: async ({ countLines }) => countLines({ word: "TODO", path: "src" }),
    expected: (files) =>
      found(
        files,
        (line) => line.includes("TODO"),
        (path) => path.startsWith("src/"),
      ).length,
  },
  {
    id: "search-regex",
    ask: "Which release candidates (v1.2.3-rc4) does the code name, and where?",
    solve: async ({ search }) =>
      sorted(
        (await search({ word: "-rc", regex: /v\d+\.\d+\.\d+-rc\d+/u, include: "*.ts" })).map(
          ({ file, line }) => `${file}:${line}`,
        ),
      ),
    expected: (files) =>
      sorted(
        found(
          files,
          (line) => /v\d+\.\d+\.\d+-rc\d+/u.test(line),
          (path) => path.endsWith(".ts"),
        ),
      ),
  },
  {
    id: "search-hidden",
    ask: "Where is SHIP_CHANNEL used? (In a hidden directory; the question does not say so.)",
    solve: async ({ filesWith }) => filesWith({ word: "SHIP_CHANNEL" }),
    expected: () => [".github/workflows/release.yml"],
  },
  {
    id: "search-installed",
    ask: "Which installed package says 'deprecated: use'?",
    solve: async ({ filesWith }) => filesWith({ word: "deprecated: use", ignored: true }),
    expected: () => ["node_modules/left-pad/index.js"],
  },
  {
    id: "search-minified",
    ask: "Which apiVersion does the minified vendor file have (one line of 600 KB)?",
    solve: async ({ search }) => {
      const [match] = await search({ word: "apiVersion", path: "public" });
      return /apiVersion:"([\d-]+)"/u.exec(match?.text ?? "")?.[1];
    },
    expected: () => "2026-07-19",
  },
  {
    id: "search-utf16",
    ask: "Which line of the legacy directory names Nordwest? (The file is in UTF-16.)",
    solve: async ({ search }) => search({ word: "Nordwest", path: "legacy" }),
    expected: () => [{ file: "legacy/report.txt", line: 2, text: "Nordwest;48151" }],
  },
  {
    id: "search-log",
    ask: "How many lines of a log of 12 MB are errors?",
    solve: async ({ countLines }) => countLines({ word: "ERROR", path: "logs/year.log" }),
    expected: (files) => lines(files, "logs/year.log").filter((line) => line.includes("ERROR")).length,
  },
  {
    id: "read-line",
    ask: "What does line 4,321 of a file of 5,000 lines say?",
    solve: async ({ read }) => read("data/rows.txt", { from: 4321, count: 1 }),
    expected: (files) => [lines(files, "data/rows.txt")[4320]],
  },
  {
    id: "read-5000",
    ask: "What is the sum of the numbers of all 5,000 lines?",
    solve: async ({ sum }) => sum("data/rows.txt"),
    expected: (files) => sumOf(lines(files, "data/rows.txt")),
  },
  {
    id: "read-log",
    ask: "What does a log of 560 KB say? (All of it has to be shown.)",
    solve: async ({ read }) => read("logs/app.log"),
    expected: (files) => lines(files, "logs/app.log"),
  },
  {
    id: "read-last",
    ask: "What are the last three lines of a log of 120,000 lines?",
    solve: async ({ tail }) => tail("logs/year.log", 3),
    expected: (files) => lines(files, "logs/year.log").slice(-3),
  },
  {
    id: "read-long-line",
    ask: "Which id stands at the end of a line of 36,000 characters?",
    solve: async ({ lineEnd }) => /id=([\w-]+)\n?$/u.exec(await lineEnd("data/coast.wkt", 2))?.[1],
    expected: () => "coast-line",
  },
  {
    id: "read-encoded",
    ask: "What does the second line of a file in GB18030 say?",
    solve: async ({ read }) => legible(await read("legacy/labels.txt", { encoding: "gb18030" }))[1],
    expected: () => "客户名称",
  },
  {
    id: "read-utf16",
    ask: "What does the third line of a file in UTF-16 say?",
    solve: async ({ read }) => legible(await read("legacy/report.txt"))[2],
    expected: () => "Südost;62342",
  },
  {
    id: "read-japanese",
    ask: "What does the second line of a Japanese file say?",
    solve: async ({ read }) => (await read("i18n/ja.txt"))[1],
    expected: (files) => lines(files, "i18n/ja.txt")[1],
  },
  {
    id: "read-typo",
    ask: "What does line 2 of src/order-00/refund_policy.ts say? (The name has a dash.)",
    solve: async (driver) => (await readTypo(driver))[1],
    expected: (files) => lines(files, "src/order-00/refund-policy.ts")[1],
  },
  {
    id: "read-moved",
    ask: "What does line 1 of src/refunds/refund-policy.ts say? (It is in another directory.)",
    solve: async (driver) => (await readSomewhere(driver, "src/refunds/refund-policy.ts"))[0],
    expected: (files) => lines(files, "src/order-00/refund-policy.ts")[0],
  },
  {
    id: "read-empty",
    ask: "What is in config/empty.yaml? (Nothing.)",
    solve: async ({ read }) => read("config/empty.yaml"),
    expected: () => [],
  },
  {
    id: "read-binary",
    ask: "Is assets/index.db a text file? (It is not.)",
    solve: async ({ read }) => {
      try {
        const rows = await read("assets/index.db");
        return rows.some(isGarbled) ? "binary" : "text";
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return /binary|not.*text|mime/iu.test(error.message) ? "binary" : error.message;
      }
    },
    expected: () => "binary",
  },
  {
    id: "picture-size",
    ask: "How large is assets/banner.png, in pixels?",
    solve: async ({ pictureSize }) => pictureSize("assets/banner.png"),
    expected: () => "317x94",
  },
  {
    id: "pdf-page",
    ask: "What does the third page of a PDF say?",
    solve: async ({ page }) => (await page("docs/terms.pdf", 3)).split("\n"),
    expected: () => TERMS[2],
  },
  {
    id: "two-roots",
    ask: "What is RETRY_LIMIT in the library beside the project?",
    library: true,
    solve: async ({ search }) => search({ word: "RETRY_LIMIT", path: "../acme-lib" }),
    expected: () => [{ file: "../acme-lib/retry.ts", line: 1, text: "export const RETRY_LIMIT = 3;" }],
  },
];

const isGarbled = (row: string) => /[\0\uFFFD]/u.test(row);

/** A model sees that a text is not what it should be. */
function legible(rows: string[]): string[] {
  const garbled = rows.find(isGarbled);
  if (garbled !== undefined) throw new Refused(`Garbled: ${garbled}`);
  return rows;
}

async function readTypo(driver: Driver): Promise<string[]> {
  try {
    return await driver.read("src/order-00/refund_policy.ts");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.message.includes("refund-policy.ts")) return driver.read("src/order-00/refund-policy.ts");
    const near = (await driver.list("src/order-00")).find((name) => name.startsWith("refund"));
    return driver.read(`src/order-00/${near ?? ""}`);
  }
}

function sumOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + Number(/(\d+)$/u.exec(row)?.[1] ?? NaN), 0);
}

const gone = () => "missing";

/** What another file of the project was. */
const copyOf = (path: string) => (_: string, files: Files) => bytes(files.get(path) ?? Buffer.alloc(0));

const formatted = (content: string) => content.replace("{ ", "{\n\t").replaceAll(", ", ",\n\t").replace(" }", ",\n}");

const changing: readonly Task[] = [
  change(
    "edit-once",
    "Set the timeout of edits/once.ts from 30 to 45.",
    async ({ edit }) => edit("edits/once.ts", [{ before: "timeout = 30", after: "timeout = 45" }]),
    { "edits/once.ts": (before) => before.replace("timeout = 30", "timeout = 45") },
  ),
  change(
    "edit-all",
    "Rename coupon to voucher everywhere in edits/rename.ts.",
    async ({ edit }) => edit("edits/rename.ts", [{ before: "coupon", after: "voucher", all: true }]),
    { "edits/rename.ts": (before) => before.replaceAll("coupon", "voucher") },
  ),
  change(
    "edit-two",
    "Make two changes in edits/two.ts.",
    async ({ edit }) =>
      edit("edits/two.ts", [
        { before: "first = 1", after: "first = 10" },
        { before: "last = 3", after: "last = 30" },
      ]),
    { "edits/two.ts": (before) => before.replace("first = 1", "first = 10").replace("last = 3", "last = 30") },
  ),
  change(
    "edit-second-of-three",
    "Let function b of edits/thrice.ts return 1. (The line occurs three times.)",
    async ({ edit, read }) => {
      try {
        await edit("edits/thrice.ts", [{ before: "\treturn 0;", after: "\treturn 1;" }]);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const rows = await read("edits/thrice.ts");
        const at = rows.findIndex((row) => row.startsWith("function b"));
        const before = rows.slice(at, at + 2).join("\n");
        await edit("edits/thrice.ts", [{ before, after: before.replace("return 0", "return 1") }]);
      }
    },
    { "edits/thrice.ts": (before) => before.replace("function b() {\n\treturn 0", "function b() {\n\treturn 1") },
  ),
  change(
    "edit-copied",
    "Read edits/tabs.ts, and let start take 2: the line is copied as the answer shows it, tabs and trailing blanks included.",
    async ({ edit, read }) => {
      const row = (await read("edits/tabs.ts"))[2] ?? "";
      await edit("edits/tabs.ts", [{ before: row, after: row.replace("1", "2") }]);
    },
    { "edits/tabs.ts": (before) => before.replace("1", "2") },
  ),
  change(
    "edit-windows",
    "Change two lines of a file with Windows line ends.",
    async ({ edit }) => edit("edits/windows.txt", [{ before: "port=80\nhost=a", after: "port=8080\nhost=b" }]),
    { "edits/windows.txt": (before) => before.replace("port=80\r\nhost=a", "port=8080\r\nhost=b") },
  ),
  change(
    "edit-encoded",
    "Change =10 to =11 in a file in GB18030.",
    async ({ edit }) => edit("edits/labels.txt", [{ before: "=10", after: "=11" }], "gb18030"),
    { "edits/labels.txt": (before) => before.replace("=10", "=11") },
  ),
  change(
    "edit-beside-bad-bytes",
    "Change Ana's limit in a file that is not valid UTF-8 elsewhere.",
    async ({ edit }) => edit("edits/mixed.csv", [{ before: "Ana;250", after: "Ana;300" }]),
    { "edits/mixed.csv": (before) => before.replace("Ana;250", "Ana;300") },
  ),
  change(
    "edit-dollars",
    "Set a price to a text with dollar signs.",
    async ({ edit }) => edit("edits/money.ts", [{ before: '"0"', after: '"$& and $1 and $$"' }]),
    { "edits/money.ts": (before) => before.replace('"0"', () => '"$& and $1 and $$"') },
  ),
  change(
    "edit-far",
    "In a file of 5,000 lines, set cell 4,000 to 0. (Its line has to be found first.)",
    async ({ edit, search }) => {
      const [match] = await search({ word: "cell 4000 =", path: "edits/rows.txt" });
      const before = match?.text ?? "";
      await edit("edits/rows.txt", [{ before, after: before.replace(/\d+$/u, "0") }]);
    },
    { "edits/rows.txt": (before) => before.replace(/cell 4000 = \d+/u, "cell 4000 = 0") },
  ),
  change(
    "edit-six-files",
    "Rename oldHelper to newHelper in all files of edits that use it (six).",
    async ({ edit, filesWith }) => {
      for (const file of await filesWith({ word: "oldHelper", path: "edits", include: "*.ts" })) {
        await edit(file, [{ before: "oldHelper", after: "newHelper", all: true }]);
      }
    },
    Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [
        `edits/lib/part-${index}.ts`,
        (before: string) => before.replaceAll("oldHelper", "newHelper"),
      ]),
    ),
  ),
  change(
    "write-new",
    "Create a file in a directory that does not exist yet.",
    async ({ write }) => write("edits/fresh/deep/note.md", "# Note\n\nWritten.\n"),
    { "edits/fresh/deep/note.md": () => "# Note\n\nWritten.\n" },
  ),
  change(
    "rename-six-files",
    "Rename parcelWeight to parcelMass in the six files that use it (19 places), its definition included.",
    async ({ editLines, search }) => {
      const lines = await search({ word: "parcelWeight", path: "edits/rename" });
      await editLines(lines, { before: "parcelWeight", after: "parcelMass" });
    },
    Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [
        `edits/rename/part-${index}.ts`,
        (before: string) => before.replaceAll("parcelWeight", "parcelMass"),
      ]),
    ),
  ),
  change(
    "move-file",
    "Move edits/old/place.ts to edits/new/deep/place.ts, a directory that does not exist yet.",
    async ({ move }) => move("edits/old/place.ts", "edits/new/deep/place.ts"),
    { "edits/old/place.ts": gone, "edits/new/deep/place.ts": copyOf("edits/old/place.ts") },
  ),
  change(
    "move-directory",
    "Rename the directory edits/pack, with twelve files, to edits/box.",
    async ({ move }) => move("edits/pack", "edits/box"),
    { "edits/pack/item-3.ts": gone, "edits/box/item-11.ts": copyOf("edits/pack/item-11.ts") },
  ),
  change("delete-file", "Delete edits/old/unused.ts.", async ({ remove }) => remove("edits/old/unused.ts"), {
    "edits/old/unused.ts": gone,
  }),
  change(
    "copy-file",
    "Copy edits/template.ts to edits/copy.ts.",
    async ({ copy }) => copy("edits/template.ts", "edits/copy.ts"),
    { "edits/copy.ts": copyOf("edits/template.ts") },
  ),
  change(
    "undo",
    "Make three changes in edits/limits.ts, then take them back.",
    async ({ edit }) => {
      const changes = [
        { before: "rate = 5", after: "rate = 50" },
        { before: "burst = 20", after: "burst = 200" },
        { before: "waitMs = 400", after: "waitMs = 40" },
      ];
      await edit("edits/limits.ts", changes);
      await edit(
        "edits/limits.ts",
        changes.map(({ before, after }) => ({ before: `${after};`, after: `${before};` })),
      );
    },
    { "edits/limits.ts": (before) => before },
  ),
  change(
    "notebook-cell",
    "In the notebook edits/report.ipynb, let the cell about stock take the rate 0.25. (Its lines have to be looked up.)",
    async ({ edit, read }) => {
      const rows = await read("edits/report.ipynb");
      const at = rows.findIndex((row) => row.includes("stock.csv"));
      const before = rows.slice(at, at + 2).join("\n");
      await edit("edits/report.ipynb", [{ before, after: before.replace("0.3", "0.25") }]);
    },
    { "edits/report.ipynb": (before) => before.replace("rate = 0.3", "rate = 0.25") },
  ),
  change(
    "edit-after-formatter",
    "Read edits/formatted.ts; a formatter breaks its line into five; set its rate to 6.",
    async ({ edit, read }, rewrite) => {
      const path = "edits/formatted.ts";
      const [row = ""] = await read(path);
      rewrite(path, formatted);
      const set = async (before: string) => edit(path, [{ before, after: before.replace("rate: 5", "rate: 6") }]);
      await set(row).catch(async (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        await set((await read(path)).find((line) => line.includes("rate")) ?? "");
      });
    },
    { "edits/formatted.ts": (before) => formatted(before).replace("rate: 5", "rate: 6") },
  ),
  change(
    "edit-escaped",
    "Change two lines of edits/quoted.ts that a model has copied with escapes: \\n and \\t where the file has a line end and a tab.",
    async ({ edit, read }) => {
      const path = "edits/quoted.ts";
      const put = async (before: string, after: string) => edit(path, [{ before, after }]);
      const escaped = String.raw`export const head = [\n\t"name",`;
      await put(escaped, escaped.replace("name", "title")).catch(async (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        const rows = await read(path);
        const before = rows.slice(1, 3).join("\n");
        await put(before, before.replace("name", "title"));
      });
    },
    { "edits/quoted.ts": (before) => before.replace("name", "title") },
  ),
  {
    ...change(
      "two-roots-edit",
      "Set RETRY_LIMIT to 5 in the library beside the project.",
      async ({ edit }) => edit("../acme-lib/retry.ts", [{ before: "RETRY_LIMIT = 3", after: "RETRY_LIMIT = 5" }]),
      { "../acme-lib/retry.ts": () => "export const RETRY_LIMIT = 5;\nexport const RETRY_WAIT_MS = 250;\n" },
    ),
    library: true,
  },
];

/** All tasks: what is there, then what is to be changed. */
export const TASKS: readonly Task[] = [...looking, ...changing];
