import { source as axeSource, type AxeResults } from "axe-core";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startServer } from "./support/playground.ts";
import { APPLES, setStage, STORY_LINES } from "./support/stage.ts";

const stage = setStage();
const EDIT = "Change 3 to 4 in src/apples.ts";
const button = (name: string | RegExp) => stage.page.getByRole("button", { name, exact: true });
const callTool = async (address: string) => {
  const answered = stage.page.waitForResponse(/\/api\/tools\//u);
  await stage.page.evaluate(`location.hash = ${JSON.stringify(`#/tool/${address}`)}`);
  await answered;
};
const apples = () => readFileSync(stage.project.path("src", "apples.ts"), "utf8");
const restore = () => {
  stage.project.write({ src: { "apples.ts": apples().replace("return 4", "return 3") } });
};

describe("the first look", () => {
  it.each([1440, 1024, 390])("shows a finished run and what it saved, %i pixels wide", async (width) => {
    await stage.resize(width);
    await stage.visit();
    await stage.page.getByLabel("Project").selectOption("demo");
    await stage.shows("How is the discount worked out?");
    expect(await stage.page.locator(".call").count()).toBe(3);
    const [, entered, whole] =
      /^([\d,]+) tokens instead of ([\d,]+) \(whole/u.exec(
        (await stage.page.locator(".economy p").first().textContent()) ?? "",
      ) ?? [];
    expect(Number(whole?.replace(",", ""))).toBeGreaterThan(3 * Number(entered?.replace(",", "")));
    const overflow = await stage.page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

// Rule: Each question to try shows what it says, in the demo.
it("shows in the demo a patch, a picture, and two roots of which one may only be read", async () => {
  await stage.visit();
  await stage.page.getByLabel("Project").selectOption("demo");
  await button(/^A patch over four files/u).click();
  await button("Approve").waitFor();
  // The diff view is loaded when it is first needed.
  await stage.page.locator(".change .head").nth(3).waitFor();
  const files = await stage.page.locator(".change .head").allTextContents();
  expect(files).toEqual(["README.md", "checks/report.ts", "src/harvest.ts", "src/report.ts"]);
  await button("Approve").click();
  await stage.shows("Approved and written.");
  await button(/^A picture/u).click();
  await stage.page.getByRole("img", { name: "docs/prices.png" }).waitFor();
  await button(/^Two roots as one project/u).click();
  await stage.shows("cidery/src/press.ts:1");
  await stage.shows("orchard/src/harvest.ts:9");
  await button(/^A root that is only read/u).click();
  await stage.shows("Writing to 'cidery/src/press.ts' is not allowed.");
});

describe("the agent", () => {
  it("answers, leads to the bench, and shows what the model read", async () => {
    await stage.visit();
    await stage.ask("Where is countApples defined?");
    await stage.shows("is defined at");
    await stage.page.locator(".call summary").first().click();
    await stage.shows("1 match in 1 file");
    await stage.page.getByRole("link", { name: "src/apples.ts:2", exact: true }).first().click();
    await stage.result().getByText("return 3;").waitFor();
  });

  it("shows an answer whose pieces come all at once", async () => {
    await stage.visit();
    await stage.ask("What is in many?");
    await stage.shows("many/item-099.md");
    await button(/^Ask/u).waitFor();
    expect(await stage.page.getByRole("alert").allTextContents()).toEqual([]);
  });

  it("stops when told to", async () => {
    await stage.visit("", await stage.slowServer(80));
    await stage.ask("Read story.txt");
    await button(/^Stop/u).click();
    await stage.shows("Stopped.");
    await stage.ask("What is in src?");
    await stage.shows("has 2 entries");
  });

  it("keeps the conversation over a reload, for the reader and for the model", async () => {
    await stage.visit();
    await stage.ask("show lines 1 to 3 of story.txt");
    await stage.shows("line 3 of the story");
    await button(/^Ask/u).waitFor();
    await stage.page.reload();
    await stage.shows("line 3 of the story");
    await stage.ask("continue");
    await stage.shows("line 6 of the story");
    await button("New chat").click();
    await expect.poll(() => stage.page.locator(".answer").count()).toBe(0);
  });

  // Rule: A change that waits can be decided after a reload and in another tab.
  it("writes only what was approved, after a reload and in a second tab", async () => {
    await stage.visit();
    await stage.ask(EDIT);
    const card = stage.page.getByRole("group", { name: "Edit wants to change src/apples.ts" });
    await card.getByText("return 4;").waitFor();
    await stage.shows("waiting for you");
    await stage.page.reload();
    await card.getByRole("button", { name: "Approve" }).waitFor();
    expect(apples()).toContain("return 3;");
    const other = await stage.page.context().newPage();
    await other.goto(stage.server.url);
    await other.getByRole("button", { name: "Approve" }).click();
    await other.getByText("Approved and written.").waitFor();
    await stage.shows("Approved and written.");
    expect(apples()).toContain("return 4;");
    await other.close();
    restore();
  });

  // Rule: A change can be undone by one click, unless its files have changed since.
  it("undoes a change, and says why where it cannot", async () => {
    await stage.visit();
    for (const undone of ["Undone: all is as it was before.", "Changed since then: 'src/apples.ts'."]) {
      await stage.ask(EDIT);
      await button("Approve").click();
      await button("Undo").waitFor();
      expect(apples()).toContain("return 4;");
      if (undone.startsWith("Changed")) stage.project.write({ src: { "apples.ts": "return 3 // now" } });
      await button("Undo").click();
      await stage.shows(undone);
      expect(apples()).toContain("return 3");
    }
    stage.project.write({ src: { "apples.ts": APPLES } });
    await stage.page.reload();
    await stage.shows("Undone: all is as it was before.");
  });

  it("writes nothing when the reader declines, all by keyboard", async () => {
    await stage.visit();
    const focused = (tag: string) => stage.page.evaluate<string>(`document.activeElement.${tag}`);
    for (let tabs = 0; tabs < 60 && (await focused("ariaLabel")) !== "Question"; tabs++)
      await stage.page.keyboard.press("Tab");
    await stage.page.keyboard.type(EDIT);
    await stage.page.keyboard.press("Enter");
    await button("Decline").waitFor();
    for (let tabs = 0; tabs < 60 && (await focused("textContent")) !== "Decline"; tabs++)
      await stage.page.keyboard.press("Shift+Tab");
    await stage.page.keyboard.press("Enter");
    await stage.shows("Declined, nothing was written.");
    expect(apples()).toContain("return 3;");
  });

  // Rule: Controls of a path and a diff are visible in the page, and no line is cut.
  it("shows a diff with controls and long lines as it is", async () => {
    const long = "x".repeat(3000);
    stage.project.write({ "odd\u202ename.txt": `red ${long}\n` });
    await stage.visit();
    await stage.ask("Change red to a\u202eb\u001b every time");
    await button("Decline").waitFor();
    const text = (await stage.page.locator(".change").textContent()) ?? "";
    expect(text).toContain(String.raw`odd\u202ename.txt`);
    expect(text).toContain(String.raw`a\u202eb\u001b`);
    expect(text).toContain(long);
    for (const control of ["\u001b", "\u202e"]) expect(text).not.toContain(control);
    await button("Decline").click();
  });

  // Rule: Controls in an answer are visible, whatever they are quoted in.
  it("shows the controls of a name in an answer", async () => {
    stage.project.write({ bidi: { "a\u202eb.txt": "" } });
    await stage.visit();
    await stage.ask("What is in bidi?");
    await stage.shows(String.raw`a\u202eb.txt`);
    expect(await stage.page.locator(".messages").textContent()).not.toContain("\u202e");
  });

  it("says when the server is gone", async () => {
    const other = await startServer({ root: stage.project.root, page: stage.built });
    await stage.visit("", other);
    await other.close();
    await stage.ask("Hello");
    await stage.page.getByRole("alert").getByText("The playground's server does not answer.").waitFor();
    stage.complaints = stage.complaints.filter((text) => !text.includes("ERR_CONNECTION_REFUSED"));
  });
});

describe("the tool bench", () => {
  it.each([
    ["LS?path=src", "src/apples.ts"],
    ["Glob?pattern=**/*.ts", "src/apples.ts"],
    ["Grep?pattern=countApples", "export function countApples() {"],
    ["Read?path=src/apples.ts", "export function countApples() {"],
    ["read?filePath=src/apples.ts", "export function countApples() {"],
    ["Read?path=src/apple.ts", "NOT_FOUND"],
    ["LS?limit=abc", "limit must be an integer between 1 and 200."],
    ["LS?pattern=x", "Unknown parameter 'pattern'"],
  ])("shows the answer to %s", async (address, expected) => {
    await stage.visit(`#/tool/${address}`);
    await stage.result().getByText(expected).first().waitFor();
    expect(await stage.result().textContent()).toContain("conforms");
  });

  it("runs a call from its form, marks what was found, and colours it", async () => {
    await stage.visit("#/tool/Grep?pattern=return");
    await stage.page.getByLabel("pattern").fill("apples");
    await stage.page.keyboard.press("Enter");
    await expect.poll(() => stage.page.url()).toContain("#/tool/Grep?pattern=apples");
    await expect.poll(() => stage.result().locator("mark").allTextContents()).toContain("Apples");
    await expect.poll(() => stage.result().locator(".token[style*='--light']").count()).toBeGreaterThan(0);
    for (const view of ["Model's view", "Document", "Envelope"]) {
      await stage.page.getByLabel(view).check();
      expect(await stage.page.locator("label").filter({ hasText: view }).textContent()).toMatch(/\d tokens/u);
    }
    await stage.result().getByText('"status": "success"').waitFor();
    await stage.page.getByLabel("Compare").check();
    await stage.result().getByRole("group", { name: "Comparison" }).getByText("apples").first().waitFor();
  });

  it("shows a page of a list once, below what it says of the rest", async () => {
    await stage.visit("#/tool/LS?path=many&limit=5");
    await stage.result().getByText("[Truncated: Showing 0-5 of 120.").waitFor();
    expect((await stage.result().textContent())?.split("many/item-003.md")).toHaveLength(2);
  });

  it("pages to the end of a long file, and follows a suggestion", async () => {
    await stage.visit("#/tool/Read?path=story.txt");
    for (const line of [501, 1001]) {
      await stage.page.getByRole("link", { name: "Next page" }).click();
      await stage.result().getByText(`line ${line} of the story`).waitFor();
    }
    await stage.result().getByText(`line ${STORY_LINES} of the story`).waitFor();
    expect(await stage.page.getByRole("link", { name: "Next page" }).count()).toBe(0);
    await callTool("Read?path=src/apple.ts");
    await stage.page.getByRole("link", { name: "Open src/apples.ts" }).click();
    await stage.result().getByText("return 3;").waitFor();
  });

  // Rule: An address makes a dry run; only the button writes.
  it("tries a change, makes it, and undoes it", async () => {
    await stage.visit("#/tool/Edit?path=src/apples.ts&old_string=3&new_string=4");
    await stage.result().getByText("return 4;").first().waitFor();
    expect(apples()).toContain("return 3;");
    await button("Apply this change").click();
    await expect.poll(apples).toContain("return 4;");
    await button("Undo").click();
    await expect.poll(apples).toContain("return 3;");
    await stage.result().getByText("Undid 1 change (1 file).").waitFor();
    await button("Redo").click();
    await expect.poll(apples).toContain("return 4;");
    restore();
  });

  it("hides the form after a run on a phone", async () => {
    await stage.resize(390);
    await stage.visit("#/tool/LS?path=src");
    expect(await stage.page.getByLabel("path").isVisible()).toBe(false);
    expect(await stage.page.locator("kbd").first().isVisible()).toBe(false);
    await stage.page.getByText("Parameters of LS").click();
    await stage.page.getByLabel("path").waitFor();
  });

  it("holds only the rows in view of a large answer", async () => {
    await stage.visit("#/tool/Read?path=story.txt&limit=1200");
    await stage.result().getByText("line 1 of the story").waitFor();
    expect(await stage.result().locator(".row").count()).toBeLessThan(200);
  });
});

/** Collects what moved by itself on the page, in `window.shifts`. */
const WATCH_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => node?.className ?? node?.nodeName);
      if (value > 0.0001) window.shifts.push(value.toFixed(4) + " " + moved.join(", "));
    }
  }).observe({ type: "layout-shift" });`;

it.each([
  [1440, "What is this project?"],
  [390, EDIT],
])("moves nothing while an answer streams in, %i pixels wide: %s", async (width, question) => {
  await stage.resize(width);
  await stage.visit("", await stage.slowServer(20));
  await stage.page.getByLabel("Question").fill(question);
  await stage.page.evaluate(WATCH_SHIFTS);
  await stage.page.keyboard.press("Enter");
  await (question === EDIT ? button("Decline").waitFor() : stage.shows("Orchard counts"));
  expect(await stage.page.evaluate("window.shifts")).toEqual([]);
});

const VIEWS: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    "the first look of the demo",
    async () => {
      await stage.page.getByLabel("Project").selectOption("demo");
      await stage.shows("How is the discount worked out?");
    },
  ],
  [
    "an empty conversation",
    async () => {
      await stage.page.getByLabel("Project").selectOption("main");
      await button("New chat").waitFor();
    },
  ],
  [
    "an answer with a call opened",
    async () => {
      await stage.ask("Where is countApples defined?");
      await stage.shows("is defined at");
      await stage.page.locator(".call summary").first().click();
    },
  ],
  [
    "a change that waits",
    async () => {
      await stage.ask(EDIT);
      await button("Decline").waitFor();
    },
  ],
  [
    "a declined change",
    async () => {
      await button("Decline").click();
      await stage.shows("Declined, nothing was written.");
    },
  ],
  [
    "an undone change",
    async () => {
      await stage.ask(EDIT);
      await button("Approve").click();
      await button("Undo").click();
      await stage.shows("Undone: all is as it was before.");
    },
  ],
  ["a list", () => callTool("LS?path=many&limit=20")],
  ["matches", () => callTool("Grep?pattern=apples&context=1")],
  ["a long file", () => callTool("Read?path=story.txt&limit=1000")],
  ["an error", () => callTool("Read?path=src/apple.ts")],
  ["a dry run", () => callTool("Edit?path=src/apples.ts&old_string=3&new_string=4")],
  ["the model's view", () => stage.page.getByLabel("Model's view").check()],
  ["a comparison", () => stage.page.getByLabel("Compare").check()],
  ["the definition", () => stage.page.getByText(/tokens of every request/u).click()],
];

const LOOKS = [
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
] as const;

it("gives axe-core nothing to find in any view, in light and dark, wide and narrow", { timeout: 90_000 }, async () => {
  /** What axe-core finds; colours alone where nothing else can have changed. */
  const violations = async (rules: "all" | "colours") => {
    const only = rules === "colours" && { runOnly: ["color-contrast"] };
    const options = { resultTypes: ["violations"], preload: false, ...only };
    const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
    const found = await stage.page.evaluate<AxeResults["violations"]>(run);
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  };
  await stage.visit();
  await stage.page.evaluate(axeSource);
  for (const [name, open] of VIEWS) {
    await stage.page.setViewportSize({ width: 1440, height: 900 });
    await open();
    for (const [width, colorScheme] of LOOKS) {
      await stage.page.setViewportSize({ width, height: 844 });
      await stage.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const rules = colorScheme === "light" ? "all" : "colours";
      expect.soft(await violations(rules), `${name}, ${width} pixels, ${colorScheme}`).toEqual([]);
    }
  }
});

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

it.runIf(process.env.PLAYGROUND_SCREENSHOTS)("takes the pictures of the docs", { timeout: 120_000 }, async () => {
  for (const [width, height] of SIZES) {
    for (const colorScheme of ["light", "dark"] as const) {
      await stage.resize(width, height);
      await stage.page.emulateMedia({ colorScheme });
      await stage.visit();
      await stage.page.getByLabel("Project").selectOption("demo");
      await button("Start over").click();
      await stage.shows("How is the discount worked out?");
      await expect.poll(() => stage.page.locator(".token[style]").count()).toBeGreaterThan(0);
      await stage.screenshot(`first-${width}-${colorScheme}`);
      await button(/^An edit/u).click();
      await button("Approve").waitFor();
      await stage.screenshot(`approval-${width}-${colorScheme}`);
      await button("Approve").click();
      await button("Undo").click();
      await stage.shows("Undone: all is as it was before.");
      await stage.screenshot(`undo-${width}-${colorScheme}`);
      await callTool("Grep?pattern=PRICES");
      await expect.poll(() => stage.result().locator("mark").count()).toBeGreaterThan(0);
      await expect.poll(() => stage.result().locator(".token[style]").count()).toBeGreaterThan(0);
      await stage.screenshot(`grep-${width}-${colorScheme}`);
    }
  }
});
