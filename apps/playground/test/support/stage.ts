import { fixture, type Fixture } from "@fstools/testing";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { RunningServer } from "../../src/server/listen.ts";
import { buildPage, type PageFiles } from "../../src/server/page.ts";
import { launchBrowser } from "./browser.ts";
import { startPlayground, startServer } from "./playground.ts";

/** One browser and one server for all tests of the page; a fresh browser profile for each. */
export interface Stage {
  readonly page: Page;
  readonly server: RunningServer;
  readonly project: Fixture;
  readonly built: PageFiles;
  /** What the browser complained about; a test that expects a complaint takes it out. */
  complaints: string[];
  /** Opens the page, and waits for a conversation or an answer. */
  visit(hash?: string, server?: RunningServer): Promise<void>;
  /** A server whose model rests this long before every word. */
  slowServer(paceMs: number): Promise<RunningServer>;
  /** Goes on with a new profile. */
  reopen(options: BrowserContextOptions): Promise<void>;
  result(): Locator;
  /** Waits until a text is visible. */
  shows(text: string | RegExp): Promise<void>;
  ask(question: string): Promise<void>;
  screenshot(name: string): Promise<void>;
}

/** What `src/apples.ts` holds. */
export const APPLES = "/** Counts apples. */\nexport function countApples() {\n  return 3;\n}\n";

/** How many lines `story.txt` has. */
export const STORY_LINES = 1234;

const screenshots =
  process.env.PLAYGROUND_SCREENSHOTS ?? fileURLToPath(new URL("../../.cache/screenshots/", import.meta.url));

/** Sets the stage for the tests of this file. */
export function setStage(): Stage {
  let browser: Browser;
  let project: Fixture;
  let built: PageFiles;
  let server: RunningServer;
  let page: Page;
  const endings: (() => unknown)[] = [];

  const open = async (options: BrowserContextOptions): Promise<Page> => {
    const context = await browser.newContext(options);
    stage.complaints = [];
    context.on("page", (opened) => {
      opened.setDefaultTimeout(15_000);
      opened.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") stage.complaints.push(message.text());
      });
      opened.on("pageerror", (error) => stage.complaints.push(error.message));
    });
    return context.newPage();
  };

  const stage: Stage = {
    complaints: [],
    get page() {
      return page;
    },
    get server() {
      return server;
    },
    get project() {
      return project;
    },
    get built() {
      return built;
    },
    visit: async (hash = "", at = server) => {
      await page.goto(`${at.url}${hash}`);
      await (hash.startsWith("#/tool") ? stage.result() : page.getByLabel("Question")).waitFor();
    },
    slowServer: (paceMs) => startPlayground({ root: project.root, model: { paceMs }, page: built, writable: true }),
    reopen: async (options) => {
      await page.context().close();
      page = await open(options);
    },
    result: () => page.getByRole("region", { name: "Result" }),
    shows: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
    ask: async (question) => {
      await page.getByLabel("Question").fill(question);
      await page.keyboard.press("Enter");
    },
    screenshot: async (name) => {
      await page.mouse.move(0, 0);
      await page.screenshot({ path: `${screenshots}/${name}.png` });
    },
  };

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    const names = Array.from({ length: 120 }, (_, index) => `item-${String(index).padStart(3, "0")}.md`);
    project = fixture({
      "README.md": "# Orchard\n\nOrchard counts apples for people who have too many of them.\n",
      "story.txt": Array.from({ length: STORY_LINES }, (_, index) => `line ${index + 1} of the story\n`).join(""),
      src: { "apples.ts": APPLES, "pears.ts": "" },
      many: Object.fromEntries(names.map((name) => [name, ""])),
    });
    endings.push(() => {
      project.cleanup();
    });
    built = await buildPage();
    const history = fixture({});
    endings.push(() => {
      history.cleanup();
    });
    server = await startServer({ root: project.root, page: built, writable: true, history: history.root });
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
    expect(stage.complaints).toEqual([]);
    await page.context().close();
  });
  return stage;
}
