import { source as axeSource, type AxeResults } from "axe-core";
import { describe, expect, it } from "vitest";
import type { Stage } from "../support/stage.ts";

/** Times depend on the machine, so they are only checked on demand: PLAYGROUND_MEASURE=1. */
const MEASURES = process.env.PLAYGROUND_MEASURE === "1";
const LONG_TASK_MS = 100;
const MANY_ROWS = 200;

/** Collects what moved although nobody touched the page, in `window.shifts`. */
const WATCH_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => node?.className ?? node?.nodeName);
      if (value > 0.001) window.shifts.push(value.toFixed(4) + " " + moved.join(", "));
    }
  }).observe({ type: "layout-shift" });`;

/** Collects the durations of long tasks in `window.tasks`. */
const WATCH_TASKS = `
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask" });`;

/** Tests of what holds for every view: nobody is left out, nothing jumps, nothing stalls. */
export function testQuality(stage: Stage): void {
  const violations = async () => {
    await stage.page.evaluate(axeSource);
    const { violations: found } = await stage.page.evaluate<AxeResults>("axe.run()");
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  };

  describe("accessibility", () => {
    it.each(["light", "dark"] as const)("has no violation in the views of the bench: %s", async (colorScheme) => {
      await stage.reopen({ viewport: { width: 1440, height: 900 }, colorScheme });
      for (const hash of [
        "#/tool/LS?path=.",
        "#/tool/Glob?pattern=**/*.ts",
        "#/tool/Grep?pattern=apples&context=1",
        "#/tool/Read?path=story.txt&limit=30",
        "#/tool/Read?path=src/apple.ts",
        "#/tool/Edit?path=src/apples.ts&old_string=3&new_string=4",
      ]) {
        await stage.visit(hash);
        expect(await violations(), hash).toEqual([]);
      }
      for (const view of [/^As the model/u, /^Document/u, /^Envelope/u]) {
        await stage.page.getByRole("tab", { name: view }).click();
        expect(await violations(), String(view)).toEqual([]);
      }
      await stage.page.getByLabel("Truncator", { exact: true }).check();
      await stage.page.locator("details.definition > summary").click();
      await stage.page
        .getByRole("checkbox", { name: /^Compare/u })
        .first()
        .check();
      await stage.page
        .getByRole("checkbox", { name: /^Compare/u })
        .nth(1)
        .check();
      expect(await violations(), "comparison").toEqual([]);
    });

    it.each(["light", "dark"] as const)("has no violation in the conversation: %s", async (colorScheme) => {
      await stage.reopen({ viewport: { width: 380, height: 800 }, colorScheme });
      await stage.visit();
      expect(await violations(), "bench, narrow").toEqual([]);
      await stage.page.getByRole("tab", { name: "Agent" }).click();
      expect(await violations(), "welcome").toEqual([]);
      await stage.ask("Where is countApples defined?");
      await stage.shows("is defined at");
      await stage.page.getByRole("button", { name: /^Ask/u }).waitFor();
      await stage.page.locator("details.call > summary").first().click();
      expect(await violations(), "answer").toEqual([]);
      await stage.ask("Change 3 to 4 in src/apples.ts");
      await stage.page.getByRole("button", { name: "Decline" }).waitFor();
      expect(await violations(), "approval").toEqual([]);
      await stage.page.getByRole("button", { name: "Decline" }).click();
      await stage.shows("Nothing was changed.");
    });
  });

  describe("calm", () => {
    it("moves nothing while an answer streams in", async () => {
      await stage.visit();
      await stage.page.getByLabel("Question").fill("What is this project?");
      await stage.page.evaluate(WATCH_SHIFTS);
      await stage.page.keyboard.press("Enter");
      await stage.shows(/not a language model/u);
      await stage.page.getByRole("button", { name: /^Ask/u }).waitFor();
      expect(await stage.page.evaluate("window.shifts")).toEqual([]);
    });

    /** Answers every call of a tool with this envelope. */
    const answerWith = async (tool: string, data: object) => {
      const envelope = {
        ...{ status: "success", data, text: "An answer.", stats: { time_ms: 1 } },
        context: { cwd: ".", params_input: {} },
      };
      const tokens = { compact: 1, document: 1, envelope: 1 };
      await stage.page.route(`**/api/tools/${tool}`, (route) =>
        route.fulfill({ json: { response: envelope, tokens } }),
      );
    };

    /** The longest task, in ms, from now until `action` is done and painted. */
    const longestTask = async (action: () => Promise<unknown>): Promise<number> => {
      await stage.page.evaluate(WATCH_TASKS);
      await action();
      await stage.page.waitForTimeout(300);
      return Math.max(0, ...(await stage.page.evaluate<number[]>("window.tasks")));
    };

    const scrollThrough = async () => {
      for (const share of [0.3, 0.6, 1]) {
        await stage.page.evaluate(
          `{ const box = document.querySelector(".result .rows"); box.scrollTop = box.scrollHeight * ${share}; }`,
        );
        await stage.page.waitForTimeout(60);
      }
    };

    it.runIf(MEASURES)("sees a task that is too long", async () => {
      await stage.visit();
      const busy = "setTimeout(() => { const end = performance.now() + 150; while (performance.now() < end); })";
      expect(await longestTask(() => stage.page.evaluate(busy))).toBeGreaterThan(LONG_TASK_MS);
    });

    it.each<[string, string, object, string]>([
      [
        "10,000 entries",
        "LS",
        { entries: Array.from({ length: 10_000 }, (_, index) => ({ path: `entry-${index}.txt`, type: "file" })) },
        "entry-9999.txt",
      ],
      ["a line of 5 MB", "Read", { content: `   1 | ${"abcdefghi ".repeat(500_000)}end\n`, truncated: false }, "end"],
      [
        "a diff of 5,000 lines",
        "Edit",
        {
          applied: true,
          operation: "edit",
          replacements: 1,
          diff_truncated: false,
          diff_preview: `@@ -1,2500 +1,2500 @@\n${Array.from({ length: 2500 }, (_, index) => `-old line ${index}\n+new line ${index}`).join("\n")}`,
        },
        "new line 2499",
      ],
    ])("stays smooth with %s", async (name, tool, data, last) => {
      await stage.visit();
      await answerWith(tool, data);
      const drawn = await longestTask(async () => {
        await stage.page.goto(`${stage.server.url}#/tool/${tool}?path=big`);
        await stage.result().locator(".rows.many").waitFor();
      });
      const longest = await longestTask(scrollThrough);
      if (MEASURES) {
        console.log(`${name}: longest task ${longest} ms, until it was drawn ${drawn} ms`);
        expect(Math.max(drawn, longest)).toBeLessThan(LONG_TASK_MS);
      }
      expect(await stage.result().locator(".rows-window > *").count()).toBeLessThan(MANY_ROWS);
      await stage.result().getByText(last, { exact: false }).last().waitFor();
    });
  });
}
