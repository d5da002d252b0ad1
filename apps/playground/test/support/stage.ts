import { fixture, type Fixture } from "@fstools/testing";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { RunningServer } from "../../src/server/listen.ts";
import { buildPage, type PageFiles } from "../../src/server/page.ts";
import { launchBrowser } from "./browser.ts";
import { startPlayground, startServer } from "./playground.ts";

/** One browser, one page in it and one server for all tests of the page. */
export interface Stage {
  readonly page: Page;
  readonly server: RunningServer;
  readonly project: Fixture;
  readonly built: PageFiles;
  /** What the browser complained about; a test that expects a complaint takes it out. */
  complaints: string[];
  /**
   * Shows the page as a new browser would, without anything it remembers, and waits for a conversation or an answer.
   *
   * From one tool call to the next it is not loaded again, which takes longer than all else, but begins anew.
   */
  visit(hash?: string, server?: RunningServer): Promise<void>;
  /** A server whose model rests this long before every word. */
  slowServer(paceMs: number): Promise<RunningServer>;
  /** Goes on in a window of another size, until the running test ends. */
  resize(width: number, height?: number): Promise<void>;
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
  /** Where the last test left the page, if that was at a tool call. */
  let benchOf: RunningServer | undefined;
  const endings: (() => unknown)[] = [];

  const open = async (): Promise<Page> => {
    const context = await browser.newContext();
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
      const isBench = hash.startsWith("#/tool");
      if (isBench && benchOf === at) {
        // Leaves the bench first, so that nothing of the last answer is taken for one of the next.
        await page.evaluate("location.hash = '#/'");
        await page.getByLabel("Question").waitFor();
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      } else await page.goto(`${at.url}${hash}`);
      benchOf = isBench ? at : undefined;
      await (isBench ? stage.result() : page.getByLabel("Question")).waitFor();
    },
    slowServer: (paceMs) => startPlayground({ root: project.root, model: { paceMs }, page: built, writable: true }),
    resize: (width, height = 844) => page.setViewportSize({ width, height }),
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
    page = await open();
  }, 120_000);
  afterAll(async () => {
    for (const end of endings.reverse()) await end();
  });
  beforeEach(async () => {
    stage.complaints = [];
    await stage.resize(1440, 900);
  });
  afterEach(async () => {
    expect(stage.complaints).toEqual([]);
    await page.evaluate("localStorage.clear()");
    // Another server ends with its test, and the page would complain in the next one.
    if (!page.url().startsWith(server.url)) await page.goto("about:blank");
  });
  return stage;
}
