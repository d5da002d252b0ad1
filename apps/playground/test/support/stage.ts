import { fixture, type Fixture } from "@fstools/testing";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { buildPage } from "../../src/server/build-page.ts";
import type { RunningServer } from "../../src/server/listen.ts";
import { loadPage, type PageFiles } from "../../src/server/page-files.ts";
import { launchBrowser } from "./browser.ts";
import { startPlayground, startServer } from "./playground.ts";

const LINES = 1234;

/** One browser and one server for all tests of the page; a fresh tab for each. */
export interface Stage {
  readonly page: Page;
  readonly server: RunningServer;
  readonly project: Fixture;
  /** Where screenshots are left. */
  readonly screenshots: string;
  /** What the browser complained about; a test that expects a complaint takes it out. */
  complaints: string[];
  /** Opens the page at an address such as "#/tool/LS", and waits for a result. */
  visit(hash?: string): Promise<void>;
  /** The same for a server whose model rests this long before every word. */
  visitSlow(paceMs: number): Promise<void>;
  /** Goes on with a new tab. */
  reopen(options: BrowserContextOptions): Promise<void>;
  result(): Locator;
  status(): Promise<string | null>;
  /** Waits until a text is visible. */
  shows(text: string | RegExp): Promise<void>;
  ask(question: string): Promise<void>;
}

/** Slow enough that an answer is still coming when a test has looked at its beginning, however busy the machine is. */
export const READING_PACE_MS = 300;

/** How many lines `story.txt` has. */
export const STORY_LINES = LINES;

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
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const opened = await context.newPage();
    opened.setDefaultTimeout(15_000);
    stage.complaints = [];
    opened.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") stage.complaints.push(message.text());
    });
    opened.on("pageerror", (error) => stage.complaints.push(error.message));
    return opened;
  };

  const stage: Stage = {
    complaints: [],
    screenshots,
    get page() {
      return page;
    },
    get server() {
      return server;
    },
    get project() {
      return project;
    },
    visit: async (hash = "") => {
      await page.goto(`${server.url}${hash}`);
      await stage.result().waitFor();
    },
    visitSlow: async (paceMs) => {
      const { root } = project;
      const slow = await startPlayground({ root, model: { paceMs }, page: built, writable: true });
      await page.goto(slow.url);
      await stage.result().waitFor();
    },
    reopen: async (options) => {
      await page.context().close();
      page = await open(options);
    },
    result: () => page.getByRole("region", { name: "Result" }),
    status: () => stage.result().getByRole("status").first().textContent(),
    shows: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
    ask: async (question) => {
      await page.getByLabel("Question").fill(question);
      await page.keyboard.press("Enter");
    },
  };

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
    built = loadPage(await buildPage());
    server = await startServer({ root: project.root, model: { paceMs: 5 }, page: built, writable: true });
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
