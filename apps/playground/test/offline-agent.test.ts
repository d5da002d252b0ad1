import { conformant, fixture, type Fixture } from "@fstools/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import type { ModelMessage } from "ai";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createApprovals } from "../src/agent/approvals.ts";
import type { ApprovalEvent } from "../src/agent/events.ts";
import { chooseModel } from "../src/agent/model.ts";
import { DISCLAIMER } from "../src/offline/planner.ts";
import type { ReadFlavour } from "../src/read-flavour.ts";
import { openProject, type TruncatorLimits } from "../src/project.ts";
import { createNames } from "./support/random-names.ts";
import { collect, type Run } from "./support/run.ts";

const seed = Number(process.env.PLAYGROUND_SEED ?? Date.now() % 2 ** 31);
const names = createNames(seed);

const dir = names.word();
const crowd = names.word();
const long = names.word();
const wide = names.word();
const hidden = names.word();
const topic = names.word();
const verb = names.word();
const symbol = names.camel(names.word(), names.word());
const buried = names.camel(names.word(), names.word());
const secret = names.word();
const module = names.word();
const other = names.word();
const extension = names.word().slice(0, 4);
const lastWord = names.word();
const title = names.pascal();
const section = names.pascal();

const filler = (count: number) => Array.from({ length: count }, (_, index) => `// ${names.word()} ${index + 1}`);
const many = (count: number, name: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), ""]));

const tree = {
  "outside.txt": `${secret}\n`,
  project: {
    "README.md": `# ${title}\n\n${title} keeps notes for people who would otherwise forget them.\n\n## ${section}\n\nMore.\n`,
    "picture.png": "\u0089PNG\0\0",
    "wide-characters.txt": Buffer.from(`\uFEFF${lastWord}\n`, "utf16le"),
    [dir]: { "a.ts": "", "b.ts": "", inner: { "c.ts": "" } },
    one: { "same.md": "", lib: { "a.ts": "" } },
    two: { "same.md": "", "other.md": "", lib: {} },
    [crowd]: many(130, (index) => `entry-${String(index).padStart(3, "0")}.txt`),
    [long]: { "story.txt": `${filler(1200).join("\n")}\nthe end is ${lastWord}\n` },
    [wide]: many(100, (index) => `${String(index).padStart(3, "0")}-${"w".repeat(230)}.md`),
    data: many(60, (index) => `${index}.${extension}`),
    deep: many(170, (index) => `${String(index).padStart(3, "0")}-${"d".repeat(200)}.${extension}deep`),
    src: {
      "index.ts": `export { ${symbol} } from "./${module}.ts";\n`,
      [`${module}.ts`]: `// ${names.word()}\n\n/** Adds. */\nexport function ${symbol}(a: number) {\n  return a + 1;\n}\n`,
      [`${other}.ts`]: [...filler(30), `const ${buried} = 42;`, ...filler(5)].join("\n"),
      [`${topic}er.ts`]: [
        ...filler(20),
        "",
        `/** The ${topic}er goes by age: what is older than a week it will ${verb}. */`,
        `export function ${topic}(age: number): boolean {`,
        "  return age > 7;",
        "}",
        ...filler(20),
      ].join("\n"),
      [`${topic}er-switch.ts`]: filler(10).join("\n"),
      [`${topic}er.test.ts`]: filler(10).join("\n"),
      [hidden]: { [`${hidden}.config.ts`]: "export default { level: 3 };\n" },
    },
  },
};

let root: Fixture;
beforeAll(() => {
  root = fixture(tree);
});
afterAll(() => {
  root.cleanup();
});

interface Options {
  readonly read?: ReadFlavour;
  readonly limits?: TruncatorLimits;
  readonly history?: readonly ModelMessage[];
  readonly maxSteps?: number;
}

/** Asks the offline model, and checks what must hold for every run. */
async function ask(question: string, { read = "standard", limits = {}, history = [], maxSteps = 12 }: Options = {}) {
  onTestFailed(() => {
    console.error(`PLAYGROUND_SEED=${seed}`);
  });
  const project = openProject({ root: root.path("project") });
  const run = await collect({
    chosen: chooseModel({}),
    tools: project.toolsWith(read),
    truncate: project.createTruncator(limits),
    measure: project.createMeasure(),
    history,
    question,
    maxSteps,
    signal: new AbortController().signal,
  });
  checkShape(run);
  expect(run.finish.reason).toBe("answered");
  expect(run.answer).toContain(DISCLAIMER);
  return run;
}

function checkShape({ events, results, calls, errors, finish }: Run): void {
  expect(events[0]?.type).toBe("start");
  expect(errors).toEqual([]);
  expect(results).toHaveLength(calls.length);
  for (const { response, tokens } of results) {
    conformant(response);
    expect(tokens.entered).toBeGreaterThan(0);
  }
  expect(finish.tokens.entered).toBe(results.reduce((sum, { tokens }) => sum + tokens.entered, 0));
}

describe("the agent with the offline model", () => {
  it("lists a directory", async () => {
    const { calls, answer } = await ask(`What is in ${dir}?`);
    expect(calls).toEqual([`LS {"path":"${dir}"}`]);
    for (const entry of ["inner/", "a.ts", "b.ts"]) expect(answer).toContain(`\`${dir}/${entry}\``);
  });

  it("follows the hint of LS to the next page", async () => {
    const { calls, results, answer } = await ask(`List ${crowd}`);
    expect(calls).toEqual([`LS {"path":"${crowd}"}`, `LS {"path":"${crowd}","offset":100}`]);
    expect(results.map(({ response }) => response.status)).toEqual(["partial", "success"]);
    expect(answer).toContain("has 130 entries: 0 directories, 130 files or links.");
  });

  it("finds files by pattern, and follows the hint of Glob to the next ones", async () => {
    const { calls, answer } = await ask(`Find all *.${extension} files`);
    expect(calls).toEqual([`Glob {"pattern":"**/*.${extension}"}`, `Glob {"pattern":"**/*.${extension}","offset":50}`]);
    expect(answer).toContain(`60 files match \`**/*.${extension}\``);
  });

  it("reads the lines that were asked for and quotes them with their place", async () => {
    const { calls, answer } = await ask(`Read src/${module}.ts lines 4-5`);
    expect(calls).toEqual([`Read {"path":"src/${module}.ts","start_line":4,"limit":2}`]);
    expect(answer).toContain(`\`src/${module}.ts:4-5\``);
    expect(answer).toContain(`   4 | export function ${symbol}(a: number) {`);
  });

  it("reads a long file to its end, page by page", async () => {
    const path = `${long}/story.txt`;
    const { calls, answer } = await ask(`Read the whole of ${path}`);
    expect(calls).toEqual([
      `Read {"path":"${path}"}`,
      `Read {"path":"${path}","start_line":501}`,
      `Read {"path":"${path}","start_line":1001}`,
    ]);
    expect(answer).toContain("I read 1201 lines of 1201");
    expect(answer).toContain(`1201 | the end is ${lastWord}`);
  });

  it("reads the last line of a file after learning its length", async () => {
    const path = `${long}/story.txt`;
    const { calls, answer } = await ask(`What is the last line of ${path}?`);
    expect(calls).toEqual([`Read {"path":"${path}","limit":1}`, `Read {"path":"${path}","start_line":1201,"limit":1}`]);
    expect(answer).toContain(lastWord);
  });

  it("counts lines with one call", async () => {
    const { calls, answer } = await ask(`How many lines does ${long}/story.txt have?`);
    expect(calls).toHaveLength(1);
    expect(answer).toContain("has 1201 lines");
  });

  it("finds a definition, and the uses of the name", async () => {
    const { calls, answer } = await ask(`Where is ${symbol} defined?`);
    expect(calls.map((call) => call.slice(0, 5))).toEqual(["Grep ", "Grep "]);
    expect(answer).toContain(`\`${symbol}\` is defined at \`src/${module}.ts:4\``);
    expect(answer).toContain(`\`src/${module}.ts:3-6\`\n\n\`\`\`ts\n   3 | /** Adds. */\n`);
    expect(answer).toContain("Also mentioned at `src/index.ts:1`");
  });

  it("finds a definition that no file name tells of", async () => {
    const { answer } = await ask(`Where is \`${buried}\` defined?`);
    expect(answer).toContain(`\`${buried}\` is defined at \`src/${other}.ts:31\``);
  });

  it("says that a name is defined nowhere", async () => {
    const { answer } = await ask(`Where is \`${buried}Not\` defined?`);
    expect(answer).toContain(`Grep found no definition of \`${buried}Not\`.`);
  });

  it("answers an open question from Grep and one Read", async () => {
    const { calls, answer, finish } = await ask(`How does the ${topic}er decide what to ${verb}?`);
    expect(calls.filter((call) => call.startsWith("Read ")).length).toBeLessThanOrEqual(2);
    expect(calls.filter((call) => !/^(?:Grep|Read) /u.test(call))).toEqual([]);
    expect(answer).toContain(`\`src/${topic}er.ts\` fits best`);
    expect(answer).toContain(`  22 | /** The ${topic}er goes by age`);
    expect(finish.tokens.entered).toBeLessThan(3000);
  });

  it("says that an open question is about nothing here", async () => {
    const { calls, answer } = await ask(`How does the ${names.word()} work?`);
    expect(calls.every((call) => call.startsWith("Grep "))).toBe(true);
    expect(answer).toContain("found no file that holds it");
  });

  it("counts files without listing them", async () => {
    const { calls, answer, finish } = await ask(`How many *.${extension} files are there in data?`);
    expect(calls).toHaveLength(1);
    expect(answer).toContain(`There are 60 files of the kind \`*.${extension}\` in \`data\`.`);
    expect(finish.tokens.entered).toBeLessThan(150);
  });

  it("finds the largest file, by lines and by bytes", async () => {
    const { calls, answer, finish } = await ask(`What is the largest file in src?`);
    expect(calls.map((call) => call.split(" ", 1)[0])).toEqual(["Grep", "Grep", "Read", "Read", "Read"]);
    expect(answer).toMatch(/^The largest of \d+ text files in `src` is `src\/\w+\.ts`, \d+ lines, \d+ bytes\./u);
    const sources = readdirSync(root.path("project", "src")).filter((name) => name.endsWith(".ts"));
    const sizeOf = (name: string) => statSync(root.path("project", "src", name)).size;
    const big = sources.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
    expect(answer).toContain(`is \`src/${big}\``);
    expect(answer).toContain(`${sizeOf(big)} bytes`);
    expect(finish.tokens.entered).toBeLessThan(1000);
  });

  it("says early that there are too many files to compare", async () => {
    const { calls, answer, finish } = await ask("What is the largest file?");
    expect(calls).toHaveLength(1);
    expect(answer).toMatch(/there are \d{3} files in this project, and I compare at most 200\. Name a folder/u);
    expect(finish.tokens.entered).toBeLessThan(150);
  });

  it("tells how big a file is", async () => {
    const { calls, answer } = await ask(`How big is src/${other}.ts?`);
    expect(calls).toEqual([`Read {"path":"src/${other}.ts","limit":1}`]);
    const { size } = statSync(root.path("project", "src", `${other}.ts`));
    expect(answer).toContain(`\`src/${other}.ts\` has 36 lines, ${size} bytes.`);
  });

  it("compares two directories", async () => {
    const { calls, answer } = await ask(`Compare ${dir} and src`);
    expect(calls).toEqual([`LS {"path":"${dir}"}`, 'LS {"path":"src"}']);
    expect(answer).toContain(`\`${dir}\` has 3 entries.`);
    const only = ["inner/", "a.ts", "b.ts"].map((name) => `- \`${dir}/${name}\``);
    expect(answer).toContain(`Only \`${dir}\` has:\n\n${only.join("\n")}`);
    expect(answer).toContain(`- \`src/${module}.ts\``);
  });

  it("names what two directories have in common without a link to it", async () => {
    const { answer } = await ask("Compare one and two");
    expect(answer).toContain("Both have lib/, same.md.\n");
    expect(answer).toContain("Only `two` has:\n\n- `two/other.md`");
  });

  it("compares two files by their length", async () => {
    const { answer } = await ask(`Compare src/${module}.ts and src/${other}.ts`);
    expect(answer).toContain(`\`src/${module}.ts\` has 6 lines.\n\`src/${other}.ts\` has 36 lines.`);
  });

  it("lists the files that changed last", async () => {
    const text = [...filler(30), `const ${buried} = 42;`, ...filler(5)].join("\n");
    root.write({ project: { src: { [`${other}.ts`]: text } } });
    const { answer } = await ask("Which files changed last?");
    expect(answer).toContain(`newest first:\n\n- \`src/${other}.ts\``);
  });

  it.each([
    ["Show the file sizes", "No tool lists the sizes"],
    ["What is the weather in Paris?", "not in this project's files"],
    ["Who wrote README.md?", "not who changed them"],
    ["Run the tests", "I cannot run anything"],
    ["Delete README.md", "small edits only"],
  ])("says early that %j is beyond it, and what it can do", async (question, words) => {
    const { calls, answer } = await ask(question);
    expect(calls).toEqual([]);
    expect(answer).toContain(words);
    expect(answer).toContain("I can list, find, search");
  });

  it("summarises a document by its outline", async () => {
    const { calls, answer } = await ask("Summarise README.md");
    expect(calls).toEqual([`Read {"path":"README.md"}`]);
    expect(answer).toContain(`\`README.md:5\` ## ${section}: More.\n`);
    expect(answer).toContain(`${title} keeps notes`);
  });

  it("says what the project is in its first sentence", async () => {
    const { answer } = await ask("What is this project?");
    expect(answer).toMatch(new RegExp(`^${title} keeps notes for people who would otherwise forget them\\.`, "u"));
  });

  it("looks into the project's guides for how to do something", async () => {
    const { calls, answer } = await ask(`How do I forget ${section}?`);
    expect(calls[0]).toContain('"include":"{README,CONTRIBUTING}*"');
    expect(answer).toContain("`README.md` fits best");
  });

  it("lists the files that mention a name", async () => {
    const { calls, answer } = await ask(`Which files mention ${symbol}?`);
    expect(calls).toHaveLength(1);
    expect(answer).toContain(`2 files mention \`${symbol}\`, in 2 lines:`);
    expect(answer).toContain(`- \`src/index.ts:1\``);
    expect(answer).toContain(`- \`src/${module}.ts:4\``);
  });

  it("says that it looked at file names only", async () => {
    const { answer } = await ask(`Is there a test for ${secret}?`);
    expect(answer).toContain("I looked at names only, not into the files.");
  });

  it("reads a file in UTF-16", async () => {
    expect((await ask("Read wide-characters.txt")).answer).toContain(lastWord);
    const picture = await ask("Read picture.png");
    expect(picture.calls).toEqual(['Read {"path":"picture.png","limit":100}']);
    expect(picture.answer).toContain("appears to be binary");
  });

  it("says why a search in a file fails", async () => {
    const { calls, answer } = await ask("Find *.ts in README.md");
    expect(calls).toHaveLength(1);
    expect(answer).toContain("The search failed: Search root 'README.md' is not a directory.");
  });

  it("recovers from a misspelt path by the error's suggestion", async () => {
    const { calls, results, answer } = await ask(`Read src/${module}.tsx`);
    expect(results[0]?.response.error?.code).toBe("NOT_FOUND");
    expect(calls).toEqual([
      `Read {"path":"src/${module}.tsx","limit":100}`,
      `Read {"path":"src/${module}.ts","limit":100}`,
    ]);
    expect(answer).toContain(symbol);
  });

  it("recovers from a wrong folder by a search for the name", async () => {
    const { calls, answer } = await ask(`Read ${hidden}.config.ts`);
    expect(calls).toEqual([
      `Read {"path":"${hidden}.config.ts","limit":100}`,
      `Glob {"pattern":"**/${hidden}.config.ts*"}`,
      `Read {"path":"src/${hidden}/${hidden}.config.ts","limit":100}`,
    ]);
    expect(answer).toContain("level: 3");
  });

  it("takes a name without its extension", async () => {
    const { calls } = await ask(`Show the ${topic}er`);
    expect(calls).toEqual([
      `Read {"path":"${topic}er","limit":100}`,
      `Glob {"pattern":"**/${topic}er*"}`,
      `Read {"path":"src/${topic}er.ts","limit":100}`,
    ]);
  });

  it("lists a directory that it was asked to read", async () => {
    const { calls, answer } = await ask(`Read ./${dir}`);
    expect(calls).toEqual([`Read {"path":"./${dir}","limit":100}`, `LS {"path":"./${dir}"}`]);
    expect(answer).toContain(`\`${dir}/a.ts\``);
  });

  it("reports a path outside the project as refused, without its content", async () => {
    const { calls, results, answer, events } = await ask("Read ../outside.txt");
    expect(calls).toEqual([`Read {"path":"../outside.txt","limit":100}`]);
    expect(results[0]?.response.error?.code).toBe("ACCESS_DENIED");
    expect(answer).toContain("Access denied");
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it("repeats a truncated listing with a smaller limit", async () => {
    const { calls, results, answer, finish } = await ask(`What is in ${wide}?`);
    expect(results[0]?.response.data).toMatchObject({ truncated: true, truncation: { direction: "head" } });
    expect(calls[1]).toBe(`LS {"path":"${wide}","limit":25}`);
    expect(calls).toHaveLength(5);
    expect(answer).toContain("has 100 entries: 0 directories, 100 files or links.");
    expect(finish.keptOutBytes).toBeGreaterThan(0);
    expect(finish.keptOutBytes).toBe(results.reduce((sum, result) => sum + result.keptOutBytes, 0));
  });

  it("opens the spilled file of a truncated search", async () => {
    const { calls, answer } = await ask(`Find *.${extension}deep`, { limits: { maxBytes: 4000 } });
    expect(calls[1]).toMatch(/^Read \{"path":"tool-output\/tool_\d{8}_\d{6}_Glob(?:_\d+)?\.json"\}$/u);
    expect(answer).toContain(`50 files match \`**/*.${extension}deep\``);
  });

  it("goes on where the last turn stopped", async () => {
    const first = await ask(`Read ${long}/story.txt`);
    const { calls, answer } = await ask("continue", { history: first.messages });
    expect(calls).toEqual([`Read {"path":"${long}/story.txt","start_line":101,"limit":100}`]);
    expect(answer).toContain(" 101 | ");
  });

  it("knows which file 'it' is", async () => {
    const first = await ask(`Read src/${module}.ts`);
    const { calls } = await ask("How many lines does it have?", { history: first.messages });
    expect(calls).toEqual([`Read {"path":"src/${module}.ts","limit":1}`]);
  });

  it("works with the opencode flavour of Read", async () => {
    const whole = await ask(`Read src/${module}.ts`, { read: "opencode" });
    expect(whole.calls).toEqual([`read {"filePath":"src/${module}.ts","limit":100}`]);
    expect(whole.answer).toContain(`   4 | export function ${symbol}`);
    const wrong = await ask(`Read src/${module}.tsx`, { read: "opencode" });
    expect(wrong.calls).toHaveLength(2);
    expect(wrong.answer).toContain(symbol);
    const page = await ask(`Read ${long}/story.txt lines 10-12`, { read: "opencode" });
    expect(page.calls).toEqual([`read {"filePath":"${long}/story.txt","offset":10,"limit":3}`]);
    const next = await ask("next", { read: "opencode", history: page.messages });
    expect(next.calls).toEqual([`read {"filePath":"${long}/story.txt","offset":13,"limit":3}`]);
  });

  it("answers with what it has when its steps are used up", async () => {
    const { calls, answer, finish } = await ask(`Read the whole of ${long}/story.txt`, { maxSteps: 2 });
    expect(calls).toHaveLength(1);
    expect(finish.steps).toBe(2);
    expect(answer).toContain("call Read with start_line=501");
  });

  it("says what it is, without a call", async () => {
    const { calls, answer } = await ask("Hello, who are you?");
    expect(calls).toEqual([]);
    expect(answer).toContain("rule-based planner");
  });

  describe("with Edit and Write", () => {
    const oldName = names.camel(names.word(), names.word());
    const newName = names.camel(names.word(), names.word());
    const value = names.word();

    /** Asks in a small project of its own, and decides about every change. */
    async function askToChange(
      question: string,
      decide: (path: string) => boolean,
      { writable = true, files = {} }: { writable?: boolean; files?: Record<string, string> } = {},
    ) {
      const own = fixture({
        ...files,
        "main.ts": `import { ${oldName} } from "./lib.ts";\n${oldName}(${oldName}More);\n`,
        "lib.ts": `export function ${oldName}() {\n  return "${value}";\n}\n`,
        "twice.txt": `${value}\n${value}\n`,
      });
      const project = openProject({ root: own.root, mode: { writable, reason: "" } });
      const approvals = createApprovals();
      const asked: ApprovalEvent[] = [];
      approvals.listen((event) => {
        if (event.type !== "approval") return;
        asked.push(event);
        approvals.decide(event.id, decide(event.path));
      });
      const run = await collect({
        chosen: chooseModel({}),
        tools: project.toolsWith("standard", approvals),
        truncate: project.createTruncator(),
        measure: project.createMeasure(),
        approvals,
        history: [],
        question,
        maxSteps: 12,
        signal: new AbortController().signal,
      });
      checkShape(run);
      return { ...run, asked, read: (name: string) => readFileSync(own.path(name), "utf8"), own };
    }

    it("renames a name and nothing that only contains it, file by file", async () => {
      const { answer, asked, read } = await askToChange(`Rename ${oldName} to ${newName}`, () => true);
      expect(asked.map(({ path }) => path).sort()).toEqual(["lib.ts", "main.ts"]);
      expect(read("main.ts")).toBe(`import { ${newName} } from "./lib.ts";\n${newName}(${oldName}More);\n`);
      expect(read("lib.ts")).toContain(`export function ${newName}() {`);
      expect(answer).toContain(`Renamed \`${oldName}\` to \`${newName}\`, in 2 files:`);
    });

    it.each([
      [
        "a longer name elsewhere",
        "const apple = 1;\nconst pineapple = 2;\nuse(apple);",
        "orange",
        "const orange = 1;\nconst pineapple = 2;\nuse(orange);",
      ],
      ["a longer name beside it", "use(apple, apples, apple);\n", "orange", "use(orange, apples, orange);\n"],
      [
        "a line that is a part of another",
        "apple\npineapple\napple\nfig\n",
        "orange",
        "orange\npineapple\norange\nfig\n",
      ],
      [
        "lines that repeat",
        "{\n  apple();\n}\n\n{\n  apple();\n}\n\npineapple();\n",
        "orange",
        "{\n  orange();\n}\n\n{\n  orange();\n}\n\npineapple();\n",
      ],
      [
        "lines that repeat, and no longer name",
        "  apple();\n    apple();\n  apple();\n",
        "orange",
        "  orange();\n    orange();\n  orange();\n",
      ],
      ["a special replacement", "apple();\napples();\n", "$$", "$$();\napples();\n"],
      ["a long line", `${"word ".repeat(100)}apple\n`, "orange", `${"word ".repeat(100)}orange\n`],
    ])("renames whole words only: %s", async (_, before, to, after) => {
      const files = { "fruit.ts": before };
      const { answer, read } = await askToChange(`rename apple to ${to} in fruit.ts`, () => true, { files });
      expect(read("fruit.ts"), answer).toBe(after);
    });

    it("renames nothing in a line that it cannot see whole, where there are longer names", async () => {
      const files = { "fruit.ts": `apple ${"word ".repeat(100)}pineapple\n` };
      const { asked, answer } = await askToChange("rename apple to orange in fruit.ts", () => true, { files });
      expect(asked).toEqual([]);
      expect(answer).toContain("`fruit.ts:1` is too long");
    });

    it("leaves a file alone when its change is declined", async () => {
      const { answer, read } = await askToChange(`Rename ${oldName} to ${newName}`, (path) => path === "lib.ts");
      expect(read("main.ts")).toContain(`import { ${oldName} }`);
      expect(read("lib.ts")).toContain(newName);
      expect(answer).toContain("You declined 1 change");
    });

    it("changes a text in the one place where it stands, after its call was reported", async () => {
      const { calls, events, answer, read } = await askToChange(`Change ${value} to ${newName} in lib.ts`, () => true);
      expect(calls[1]).toBe(`Edit {"path":"lib.ts","old_string":"${value}","new_string":"${newName}"}`);
      expect(read("lib.ts")).toContain(`return "${newName}";`);
      expect(answer).toContain(`+  return "${newName}";`);
      const types = events.map(({ type }) => type);
      expect(types.indexOf("approval")).toBeGreaterThan(types.lastIndexOf("call"));
    });

    it("asks which place is meant, unless all are", async () => {
      const one = await askToChange(`Change ${value} to x in twice.txt`, () => true);
      expect(one.asked).toEqual([]);
      expect(one.answer).toContain("`twice.txt:1`, `twice.txt:2`. Quote more of the line");
      const spread = await askToChange(`Change ${oldName} to x`, () => true);
      expect(spread.answer).toContain("Name one file");
      const all = await askToChange(`Replace every ${value} with x in twice.txt`, () => true);
      expect(all.read("twice.txt")).toBe("x\nx\n");
    });

    it("makes a file", async () => {
      const { read, answer } = await askToChange(`Create notes/${value}.md with 'Buy apples.'`, () => true);
      expect(read(`notes/${value}.md`)).toBe("Buy apples.\n");
      expect(answer).toContain(`Created \`notes/${value}.md\``);
    });

    it("says that there is nothing to change", async () => {
      const { asked, answer } = await askToChange(`Rename ${newName} to x`, () => true);
      expect(asked).toEqual([]);
      expect(answer).toContain(`I found no \`${newName}\``);
    });

    it("says early that a project is read-only", async () => {
      const { calls, answer } = await askToChange(`Rename ${oldName} to ${newName}`, () => true, { writable: false });
      expect(calls).toEqual([]);
      expect(answer).toContain("read-only");
    });

    // Rule: The agent changes a file only after the user approved the diff.
    it("writes nothing where there is no one to ask", async () => {
      const project = openProject({ root: fixture({ "a.txt": "one\n" }).root, mode: { writable: true, reason: "" } });
      const edit = project.toolsWith("standard").find(({ name }) => name === "Edit");
      const response = await edit?.run({ path: "a.txt", old_string: "one", new_string: "two" });
      expect(response?.error?.message).toBe("The user declined the change to 'a.txt'.");
    });
  });

  it("stops when it is told to", async () => {
    const project = openProject({ root: root.path("project") });
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 60);
    const run = await collect({
      chosen: chooseModel({ paceMs: 20 }),
      tools: project.toolsWith("standard"),
      truncate: project.createTruncator(),
      measure: project.createMeasure(),
      history: [],
      question: "Hello",
      maxSteps: 3,
      signal: controller.signal,
    });
    expect(run.finish.reason).toBe("aborted");
    expect(run.answer).not.toContain(DISCLAIMER);
    expect(run.errors).toEqual([]);
    expect(run.messages).toEqual([]);
  });
});
