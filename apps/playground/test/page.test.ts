import { fixture, type Fixture } from "@fstools/testing";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildPage } from "../src/server/build-page.ts";
import type { RunningServer } from "../src/server/listen.ts";
import { loadPage } from "../src/server/page-files.ts";
import { launchBrowser } from "./support/browser.ts";
import { startServer } from "./support/playground.ts";

const screenshots = fileURLToPath(new URL("../.cache/screenshots/", import.meta.url));
const LINES = 1234;

let browser: Browser;
let project: Fixture;
let server: RunningServer;
let page: Page;
let complaints: string[];
const endings: (() => unknown)[] = [];

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  project = fixture({
    "README.md": "# Orchard\n\nOrchard counts apples for people who have too many of them.\n",
    "package.json": '{\n  "name": "orchard"\n}\n',
    "story.txt": Array.from({ length: LINES }, (_, index) => `line ${index + 1} of the story\n`).join(""),
    src: { "apples.ts": "/** Counts apples. */\nexport function countApples() {\n  return 3;\n}\n", "pears.ts": "" },
    many: Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`item-${String(index).padStart(3, "0")}.md`, ""]),
    ),
  });
  endings.push(() => {
    project.cleanup();
  });
  server = await startServer({ root: project.root, model: { paceMs: 5 }, page: loadPage(await buildPage()) });
  endings.push(() => server.close());
  browser = await launchBrowser();
  endings.push(() => browser.close());
}, 120_000);

afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

beforeEach(async () => {
  page = await open({ viewport: { width: 1440, height: 900 } });
});

afterEach(async () => {
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** A page that collects what goes wrong in it. */
async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const opened = await context.newPage();
  opened.setDefaultTimeout(15_000);
  complaints = [];
  opened.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  opened.on("pageerror", (error) => complaints.push(error.message));
  return opened;
}

const visit = async (hash = "") => {
  await page.goto(`${server.url}${hash}`);
  await page.getByRole("region", { name: "Result" }).waitFor();
};
const result = () => page.getByRole("region", { name: "Result" });
const status = () => result().getByRole("status").first().textContent();
const shows = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor();

async function ask(question: string): Promise<void> {
  await page.getByLabel("Question").fill(question);
  await page.keyboard.press("Enter");
}

describe("the tool bench", () => {
  it("starts with a listing of the project", async () => {
    await visit();
    await result().getByRole("link", { name: "README.md" }).waitFor();
    expect(await status()).toContain("success");
    expect(await result().textContent()).toContain("conforms");
  });

  it("runs every tool from its form", async () => {
    await visit();
    for (const [tool, field, value, expected] of [
      ["LS", "path", "src", "apples.ts"],
      ["Glob", "pattern", "**/*.ts", "apples.ts"],
      ["Read", "path", "src/apples.ts", "export function countApples() {"],
      ["read opencode", "filePath", "src/apples.ts", "export function countApples() {"],
    ] as const) {
      await page.getByRole("tab", { name: tool, exact: true }).click();
      await page.getByLabel(field, { exact: false }).first().fill(value);
      await page.keyboard.press("Enter");
      await result().getByText(expected).first().waitFor();
      expect(await status()).toContain("success");
      expect(await result().textContent()).toContain("conforms");
    }
  });

  it("makes the form from the schema, with defaults, ranges and descriptions", async () => {
    await visit("#/tool/Read?path=README.md");
    const limit = page.getByLabel("limit", { exact: true });
    expect(await limit.getAttribute("placeholder")).toBe("500");
    await shows("1–2000, default 500");
    await shows("The maximum number of lines to read.");
  });

  it("shows the envelope in four ways", async () => {
    await visit("#/tool/Read?path=README.md");
    await result().getByText("Orchard counts apples").waitFor();
    await page.getByRole("tab", { name: /^As the model reads it/u }).click();
    await result().getByText("Read 3 lines from 'README.md' (Lines 1-3).").waitFor();
    await page.getByRole("tab", { name: /^Envelope/u }).click();
    await result().getByText('"status": "success"').waitFor();
  });

  it("pages to the end of a long file", async () => {
    await visit("#/tool/Read?path=story.txt");
    for (const line of [501, 1001]) {
      await page.getByRole("link", { name: "Next page" }).click();
      await result().getByText(`line ${line} of the story`).waitFor();
    }
    await result().getByText(`line ${LINES} of the story`).waitFor();
    expect(await status()).toContain("success");
    expect(await page.getByRole("link", { name: "Next page" }).count()).toBe(0);
    expect(page.url()).toContain("#/tool/Read?path=story.txt&start_line=1001");
  });

  it("follows the pages of LS, and raises the limit of Glob", async () => {
    await visit("#/tool/LS?path=many");
    await page.getByRole("link", { name: "Next page" }).click();
    await result().getByText("item-119.md").waitFor();
    await page.goto(`${server.url}#/tool/Glob?pattern=many/*`);
    await page.getByRole("link", { name: "Raise limit to 200" }).click();
    await result().getByText("item-119.md").waitFor();
    expect(await status()).toContain("success");
  });

  it("leads from LS to Read, and back", async () => {
    await visit();
    await result().getByRole("link", { name: /^src/u }).click();
    await result().getByRole("link", { name: "apples.ts" }).click();
    await result().getByText("export function countApples() {").waitFor();
    expect(page.url()).toContain("#/tool/Read?path=src/apples.ts");
    await page.goBack();
    await result().getByRole("link", { name: "pears.ts" }).waitFor();
    expect(await page.getByLabel("path", { exact: true }).inputValue()).toBe("src");
  });

  it("shows an error and the way out of it", async () => {
    await visit("#/tool/Read?path=src/apple.ts");
    expect(await status()).toContain("NOT_FOUND");
    await page.getByRole("link", { name: "Open apples.ts" }).click();
    await result().getByText("export function countApples() {").waitFor();
  });

  it("passes a wrong value on, so that the tool can say what is wrong", async () => {
    await visit("#/tool/LS?limit=abc");
    expect(await status()).toContain("INVALID_PARAM");
    await shows("limit must be an integer between 1 and 200.");
    await page.goto(`${server.url}#/tool/LS?pattern=x`);
    await shows(/Unknown parameter 'pattern'/u);
  });

  it("says when a tool does not exist", async () => {
    await page.goto(`${server.url}#/tool/Fly?path=x`);
    await page.getByRole("alert").getByText("There is no tool 'Fly'.").waitFor();
    // The browser reports the 404 as well.
    complaints = complaints.filter((text) => !text.includes("404"));
  });

  it("shows what the truncator keeps, before and after, and the spilled file", async () => {
    await visit("#/tool/LS?path=many");
    await page.getByLabel("Truncator", { exact: true }).check();
    await shows("It fits, so the truncator returned the same answer.");
    await page.getByLabel("max bytes").fill("2000");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: /^Before/u }).waitFor();
    expect(await status()).toContain("partial");
    await result().getByText("The output of LS is").waitFor();
    await page.getByRole("tab", { name: /^Before/u }).click();
    await result().getByRole("link", { name: "item-099.md" }).waitFor();
    await page.getByRole("link", { name: "Open the spilled file" }).click();
    await result().getByText('"path": "many/item-000.md",').waitFor();
    await shows("This tool pages by itself, so the truncator leaves its answers alone.");
    await page.getByLabel("Truncator", { exact: true }).uncheck();
    await page.getByText("This tool pages by itself").waitFor({ state: "detached" });
  });

  it("works with the keyboard alone", async () => {
    await visit();
    await page.getByRole("tab", { name: "LS" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    await page.keyboard.type("*.json");
    await page.keyboard.press("Control+Enter");
    await result().getByRole("link", { name: "package.json" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "package.json" }).focus();
    await page.keyboard.press("Enter");
    await result().getByText('"name": "orchard"').waitFor();
    await page.getByRole("tab", { name: "Data" }).focus();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("question");
  });
});

describe("the agent", () => {
  it("answers with its steps in sight", async () => {
    await visit();
    await ask("Where is countApples defined?");
    await shows("is defined at");
    const card = page.locator("details.call", { hasText: "path src/apples.ts" }).first();
    expect(await card.textContent()).toContain("success");
    await card.locator("summary").first().click();
    await card.getByText("Read 4 lines from 'src/apples.ts'").first().waitFor();
    await shows(/not a language model/u);
    await page.getByText("entered the context").waitFor();
    expect(await page.locator(".context-meter").textContent()).toMatch(/^[1-9]\d* tokens entered/u);
    await page.getByRole("link", { name: "src/apples.ts:2", exact: true }).click();
    await result().getByText("export function countApples() {").waitFor();
  });

  it("leads from the paths in an answer to the bench", async () => {
    await visit();
    await ask("What is in src?");
    await page.locator(".prose").getByRole("link", { name: "src/apples.ts" }).click();
    await result().getByText("export function countApples() {").waitFor();
    await ask("What is in .?");
    await page.locator(".prose").getByRole("link", { name: "many/" }).click();
    await result().getByText("item-000.md").waitFor();
  });

  it("stops when told to", async () => {
    await visit();
    await ask("Read the whole of story.txt");
    await page.getByRole("button", { name: /^Stop/u }).click();
    await page.getByText("Stopped.").waitFor();
    await page.getByRole("button", { name: /^Ask/u }).waitFor();
    await ask("What is in src?");
    await shows("has 2 entries");
  });

  it("shows a failing call and its recovery", async () => {
    await visit();
    await ask("Read src/apple.ts");
    await page.locator("details.call", { hasText: "NOT_FOUND" }).waitFor();
    await shows("the error suggests 'src/apples.ts'");
  });

  it("begins anew", async () => {
    await visit();
    await page.getByRole("button", { name: "What is this project?" }).click();
    await shows("Orchard counts apples");
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByRole("button", { name: "What is this project?" }).waitFor();
  });

  it("says when the server is gone", async () => {
    const other = await startServer({ root: project.root, page: loadPage(await buildPage()) });
    await page.goto(other.url);
    await page.getByRole("region", { name: "Result" }).waitFor();
    await other.close();
    await ask("Hello");
    await page.getByRole("alert").getByText("The playground's server does not answer.").waitFor();
    await page.getByRole("button", { name: /^Run LS/u }).click();
    await page.locator(".bench").getByRole("alert").waitFor();
    complaints = complaints.filter((text) => !text.includes("ERR_CONNECTION_REFUSED"));
  });
});

describe("the looks", () => {
  it("comes in light and dark, and remembers the choice", async () => {
    await visit("#/tool/Read?path=src/apples.ts");
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "light" });
    const light = await background();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.getByRole("button", { name: "Theme: Auto" }).click();
    expect(await background()).toBe(light);
    await page.reload();
    await page.getByRole("button", { name: "Theme: Light" }).click();
    await page.emulateMedia({ colorScheme: "light" });
    expect(await background()).toBe(dark);
  });

  it.each([
    ["light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
    ["dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
    ["narrow", { viewport: { width: 380, height: 800 }, colorScheme: "light" }],
    ["wide", { viewport: { width: 2200, height: 1200 }, colorScheme: "dark" }],
  ] as const)("fits its screen: %s", async (name, options) => {
    await page.context().close();
    page = await open(options);
    await visit("#/tool/Read?path=story.txt&limit=40");
    if (name === "narrow") {
      await page.screenshot({ path: `${screenshots}narrow-bench.png` });
      expect(await page.getByLabel("Question").isVisible()).toBe(false);
      await page.getByRole("tab", { name: "Agent" }).click();
    }
    await ask("Where is countApples defined?");
    await shows("is defined at");
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
    await page.screenshot({ path: `${screenshots}${name}.png` });
    if (name !== "narrow") return;
    for (const time of ["once", "and again"]) {
      await page.getByRole("tab", { name: "Agent" }).click();
      await page.getByRole("link", { name: "src/apples.ts:2", exact: true }).click();
      await expect.poll(() => result().isVisible(), { message: time }).toBe(true);
    }
  });
});
