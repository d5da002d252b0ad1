import { Refused, type Change, type Driver, type Query } from "./drivers/driver.ts";

type Rewrite = (path: string, change: (before: string) => string) => void;

export interface Task {
  readonly id: string;
  readonly ask: string;
  readonly solve: (driver: Driver, rewrite: Rewrite) => Promise<unknown>;
  /** Right if afterwards the files are, byte for byte, what they should be. */
  readonly isChange?: boolean;
  readonly library?: boolean;
}

const look = (id: string, ask: string, solve: Task["solve"]): Task => ({ id, ask, solve });
const change = (id: string, ask: string, solve: Task["solve"]): Task => ({ id, ask, solve, isChange: true });
const replace = (id: string, ask: string, path: string, ...changes: readonly Change[]): Task =>
  change(id, ask, async ({ edit }) => edit(path, changes));
const search = (id: string, ask: string, query: Query) => look(id, ask, async (driver) => driver.search(query));
const count = (id: string, ask: string, query: Query) => look(id, ask, async (driver) => driver.countLines(query));

const sorted = (items: readonly string[]) => [...items].sort();
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

async function orElse<Result>(first: Promise<Result>, second: (refusal: Refused) => Promise<Result>): Promise<Result> {
  try {
    return await first;
  } catch (error) {
    if (error instanceof Refused) return second(error);
    throw error;
  }
}

/** Reads a file; one that is not there is looked for by its name, or taken from what the answer suggests. */
async function readSomewhere({ read, find }: Driver, path: string): Promise<string[]> {
  return orElse(read(path), async ({ message }) => {
    const named = [...message.matchAll(/'([^']*refund-policy\.ts)'/gu)].map(([, one = ""]) => one);
    const suggestion = named.find((one) => !one.endsWith(path));
    return read(suggestion ?? (await find(`**/${nameOf(path)}`))[0] ?? "");
  });
}

async function readTypo({ read, nameIn }: Driver): Promise<string[]> {
  return orElse(read("src/order-00/refund_policy.ts"), async ({ message }) => {
    if (message.includes("refund-policy.ts")) return read("src/order-00/refund-policy.ts");
    return read(`src/order-00/${(await nameIn("src/order-00", (name) => name.startsWith("refund"))) ?? ""}`);
  });
}

const isGarbled = (row: string) => /[\0\uFFFD]/u.test(row);

function legible(rows: string[]): string[] {
  const garbled = rows.find(isGarbled);
  if (garbled !== undefined) throw new Refused(`Garbled: ${garbled}`);
  return rows;
}

const formatted = (content: string) => content.replace("{ ", "{\n\t").replaceAll(", ", ",\n\t").replace(" }", ",\n}");

const looking: readonly Task[] = [
  look("list-37", "Which files are in locales?", async ({ list }) => sorted(await list("locales"))),
  look("list-1000", "Which files are in uploads (1,000)?", async ({ list }) => sorted(await list("uploads"))),
  look("count-1000", "How many files are in uploads?", async ({ count }) => count("uploads")),
  look("list-hidden", "What is in the project's root, hidden names included?", async ({ list }) =>
    sorted(await list(".", { hidden: true, ignored: true })),
  ),
  look(
    "list-hidden-unasked",
    "What is in ci? (One of two is hidden; the question does not say so.)",
    async ({ list }) => sorted(await list("ci")),
  ),
  look("find-60", "Which test files are there (60)?", async ({ find }) => sorted(await find("**/*.test.ts"))),
  look("find-600", "Which TypeScript files are there (over 600)?", async ({ find }) => sorted(await find("**/*.ts"))),
  look("find-braces", "Which .yaml and .svg files are there?", async ({ find }) =>
    sorted(await find("**/*.{yaml,svg}")),
  ),
  look("find-brackets", "Which pages are in app/(shop)? (Two, in [id] and [...slug].)", async ({ find, list }) => {
    const pages = await find("app/(shop)/*/page.tsx");
    if (pages.length > 0) return sorted(pages);
    return sorted((await list("app/(shop)")).map((name) => `app/(shop)/${name}page.tsx`));
  }),
  look("find-built", "Where is bundle.js? (It is a built file.)", async ({ find }) =>
    find("**/bundle.js", { ignored: true }),
  ),
  look("find-other-case", "Where is the project's readme.md? (It is README.md.)", async ({ find, nameIn }) => {
    const isReadme = (path: string) => path.toLowerCase() === "readme.md";
    return (await find("readme.md")).find(isReadme) ?? (await nameIn(".", isReadme));
  }),
  look("newest", "Which guide was changed last?", async ({ newest }) => newest("**/guide-*.md")),
  look("largest", "Which file in photos is the largest?", async ({ largest }) => largest("photos")),
  search("search-rare", "Where is REFUND_WINDOW_DAYS defined, and what is it?", { word: "REFUND_WINDOW_DAYS" }),
  look("search-symbol", "Which files mention PriceBook? (One is a hidden workflow.)", async ({ filesWith }) =>
    sorted(await filesWith({ word: "PriceBook", hidden: true })),
  ),
  count("search-common", "How many lines of src say TODO (over 1,000)?", { word: "TODO", path: "src" }),
  look("search-regex", "Which release candidates (v1.2.3-rc4) does the code name, where?", async ({ search }) => {
    const found = await search({ word: "-rc", regex: /v\d+\.\d+\.\d+-rc\d+/u, include: "*.ts" });
    return sorted(found.map(({ file, line }) => `${file}:${line}`));
  }),
  look("search-around", 'What stands two lines around each new PriceBook("customer") (four)?', async ({ around }) => {
    const lines = await around({ word: 'new PriceBook("customer")', path: "src" }, 2);
    return sorted(lines.map(({ file, line, text }) => `${file}:${line}:${text}`));
  }),
  look("search-hidden", "Where is SHIP_CHANNEL used? (In a hidden directory, unsaid.)", async ({ filesWith }) =>
    filesWith({ word: "SHIP_CHANNEL" }),
  ),
  look("search-installed", "Which installed package says 'deprecated: use'?", async ({ filesWith }) =>
    filesWith({ word: "deprecated: use", ignored: true }),
  ),
  look("search-minified", "Which apiVersion has the minified file (a line of 600 KB)?", async ({ search }) => {
    const [match] = await search({ word: "apiVersion", path: "public" });
    return /apiVersion:"([\d-]+)"/u.exec(match?.text ?? "")?.[1];
  }),
  look("search-utf16", "Which line of legacy names Nordwest? (The file is in UTF-16.)", async ({ search }) =>
    search({ word: "Nordwest", path: "legacy" }),
  ),
  count("search-log", "How many lines of a log of 12 MB are errors?", { word: "ERROR", path: "logs/year.log" }),
  look("read-line", "What does line 4,321 of 5,000 say?", async ({ read }) =>
    read("data/rows.txt", { from: 4321, count: 1 }),
  ),
  look("read-5000", "What is the sum of the numbers of all 5,000 lines?", async ({ sum }) => sum("data/rows.txt")),
  look("read-log", "What does a log of 560 KB say? (All of it.)", async ({ read }) => read("logs/app.log")),
  look("read-last", "What are the last three of 120,000 lines?", async ({ tail }) => tail("logs/year.log", 3)),
  look("read-long-line", "Which id stands at the end of a line of 36,000 characters?", async ({ lineEnd }) => {
    return /id=([\w-]+)\n?$/u.exec(await lineEnd("data/coast.wkt", 2))?.[1];
  }),
  look("read-encoded", "What does the second line of a file in GB18030 say?", async ({ read }) => {
    return legible(await read("legacy/labels.txt", { encoding: "gb18030" }))[1];
  }),
  look("read-utf16", "What does the third line of a file in UTF-16 say?", async ({ read }) => {
    return legible(await read("legacy/report.txt"))[2];
  }),
  look("read-japanese", "What does the second line of a Japanese file say?", async ({ read }) => {
    return (await read("i18n/ja.txt"))[1];
  }),
  look("read-typo", "What does line 2 of src/order-00/refund_policy.ts say? (It has a dash.)", async (driver) => {
    return (await readTypo(driver))[1];
  }),
  look("read-moved", "What does line 1 of src/refunds/refund-policy.ts say? (It is elsewhere.)", async (driver) => {
    return (await readSomewhere(driver, "src/refunds/refund-policy.ts"))[0];
  }),
  look("read-empty", "What is in config/empty.yaml? (Nothing.)", async ({ read }) => read("config/empty.yaml")),
  look("read-binary", "Is assets/index.db a text file? (It is not.)", async ({ read }) => {
    const rows = read("assets/index.db").then((rows) => (rows.some(isGarbled) ? "binary" : "text"));
    return orElse(rows, async ({ message }) =>
      Promise.resolve(/binary|not.*text|mime/iu.test(message) ? "binary" : message),
    );
  }),
  look("picture-size", "How large is assets/banner.png, in pixels?", async ({ pictureSize }) =>
    pictureSize("assets/banner.png"),
  ),
  look("pdf-page", "What does the third page of a PDF say?", async ({ page }) => page("docs/terms.pdf", 3)),
  {
    ...look("two-roots", "What is RETRY_LIMIT in the library beside the project?", async ({ search }) =>
      search({ word: "RETRY_LIMIT", path: "../acme-lib" }),
    ),
    library: true,
  },
];

const LIMITS = [
  { before: "rate = 5", after: "rate = 50" },
  { before: "burst = 20", after: "burst = 200" },
  { before: "waitMs = 400", after: "waitMs = 40" },
];

const changing: readonly Task[] = [
  replace("edit-once", "Set the timeout of edits/once.ts from 30 to 45.", "edits/once.ts", {
    before: "timeout = 30",
    after: "timeout = 45",
  }),
  replace("edit-all", "Rename coupon to voucher everywhere in edits/rename.ts.", "edits/rename.ts", {
    before: "coupon",
    after: "voucher",
    all: true,
  }),
  replace(
    "edit-two",
    "Make two changes in edits/two.ts.",
    "edits/two.ts",
    { before: "first = 1", after: "first = 10" },
    { before: "last = 3", after: "last = 30" },
  ),
  change(
    "edit-second-of-three",
    "Let function b of edits/thrice.ts return 1. (The line occurs three times.)",
    async (driver) => {
      const put = async (before: string) =>
        driver.edit("edits/thrice.ts", [{ before, after: before.replace("return 0", "return 1") }]);
      await orElse(put("\treturn 0;"), async () => {
        const rows = await driver.read("edits/thrice.ts");
        const at = rows.findIndex((row) => row.startsWith("function b"));
        await put(rows.slice(at, at + 2).join("\n"));
      });
    },
  ),
  change(
    "edit-copied",
    "Read edits/tabs.ts; let start take 2 (copied with tabs and trailing blanks).",
    async ({ edit, read }) => {
      const row = (await read("edits/tabs.ts"))[2] ?? "";
      await edit("edits/tabs.ts", [{ before: row, after: row.replace("1", "2") }]);
    },
  ),
  replace("edit-windows", "Change two lines of a file with Windows line ends.", "edits/windows.txt", {
    before: "port=80\nhost=a",
    after: "port=8080\nhost=b",
  }),
  change("edit-encoded", "Change =10 to =11 in a file in GB18030.", async ({ edit }) =>
    edit("edits/labels.txt", [{ before: "=10", after: "=11" }], "gb18030"),
  ),
  replace("edit-beside-bad-bytes", "Change Ana's limit in a file that is not UTF-8 elsewhere.", "edits/mixed.csv", {
    before: "Ana;250",
    after: "Ana;300",
  }),
  replace("edit-dollars", "Set a price to a text with dollar signs.", "edits/money.ts", {
    before: '"0"',
    after: '"$& and $1 and $$"',
  }),
  change("edit-far", "Set cell 4,000 of 5,000 to 0. (Its line has to be found first.)", async ({ edit, search }) => {
    const [match] = await search({ word: "cell 4000 =", path: "edits/rows.txt" });
    const before = match?.text ?? "";
    await edit("edits/rows.txt", [{ before, after: before.replace(/\d+$/u, "0") }]);
  }),
  change(
    "edit-six-files",
    "Rename oldHelper to newHelper in the six files that use it.",
    async ({ edit, filesWith }) => {
      for (const file of await filesWith({ word: "oldHelper", path: "edits", include: "*.ts" })) {
        await edit(file, [{ before: "oldHelper", after: "newHelper", all: true }]);
      }
    },
  ),
  change("write-new", "Create a file in a directory that does not exist yet.", async ({ write }) =>
    write("edits/fresh/deep/note.md", "# Note\n\nWritten.\n"),
  ),
  change(
    "rename-six-files",
    "Rename parcelWeight to parcelMass in six files (19 places).",
    async ({ editLines, search }) => {
      const lines = await search({ word: "parcelWeight", path: "edits/rename" });
      await editLines(lines, { before: "parcelWeight", after: "parcelMass" });
    },
  ),
  change("edit-three-files", "Change one known line in each of three files.", async ({ editFiles }) =>
    editFiles([
      { path: "edits/three/client.ts", before: "export const retries = 3;", after: "export const retries = 5;" },
      { path: "edits/three/server.ts", before: "export const limitMs = 3000;", after: "export const limitMs = 8000;" },
      { path: "edits/three/readme.md", before: "It ends after 3 seconds.", after: "It ends after 8 seconds." },
    ]),
  ),
  change("move-file", "Move edits/old/place.ts into a directory that does not exist yet.", async ({ move }) =>
    move("edits/old/place.ts", "edits/new/deep/place.ts"),
  ),
  change("move-directory", "Rename the directory edits/pack, with twelve files, to edits/box.", async ({ move }) =>
    move("edits/pack", "edits/box"),
  ),
  change("delete-file", "Delete edits/old/unused.ts.", async ({ remove }) => remove("edits/old/unused.ts")),
  change("copy-file", "Copy edits/template.ts to edits/copy.ts.", async ({ copy }) =>
    copy("edits/template.ts", "edits/copy.ts"),
  ),
  change("undo", "Make three changes in edits/limits.ts, then take them back.", async ({ edit }) => {
    await edit("edits/limits.ts", LIMITS);
    const back = LIMITS.map(({ before, after }) => ({ before: `${after};`, after: `${before};` }));
    await edit("edits/limits.ts", back);
  }),
  change(
    "notebook-cell",
    "In a notebook, let the cell about stock take the rate 0.25. (Look it up.)",
    async ({ edit, read }) => {
      const rows = await read("edits/report.ipynb");
      const at = rows.findIndex((row) => row.includes("stock.csv"));
      const before = rows.slice(at, at + 2).join("\n");
      await edit("edits/report.ipynb", [{ before, after: before.replace("0.3", "0.25") }]);
    },
  ),
  change(
    "edit-after-formatter",
    "Read a file; a formatter breaks its line into five; set its rate to 6.",
    async (driver, rewrite) => {
      const path = "edits/formatted.ts";
      const [row = ""] = await driver.read(path);
      rewrite(path, formatted);
      const set = async (before: string) =>
        driver.edit(path, [{ before, after: before.replace("rate: 5", "rate: 6") }]);
      await orElse(set(row), async () => set((await driver.read(path)).find((line) => line.includes("rate")) ?? ""));
    },
  ),
  change(
    "edit-escaped",
    "Change two lines that a model copied with \\n and \\t for line end and tab.",
    async (driver) => {
      const path = "edits/quoted.ts";
      const put = async (before: string) => driver.edit(path, [{ before, after: before.replace("name", "title") }]);
      const again = async () => put((await driver.read(path)).slice(1, 3).join("\n"));
      await orElse(put(String.raw`export const head = [\n\t"name",`), again);
    },
  ),
  {
    ...replace("two-roots-edit", "Set RETRY_LIMIT to 5 in the library beside the project.", "../acme-lib/retry.ts", {
      before: "RETRY_LIMIT = 3",
      after: "RETRY_LIMIT = 5",
    }),
    library: true,
  },
];

export const TASKS: readonly Task[] = [...looking, ...changing];
