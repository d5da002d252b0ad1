import { describe, expect, it } from "vitest";
import type { Stage } from "../support/stage.ts";

/** Times depend on the machine, so they are only checked on demand: PLAYGROUND_MEASURE=1. */
const MEASURES = process.env.PLAYGROUND_MEASURE === "1";
const LONG_TASK_MS = 100;
const MANY_ROWS = 200;
/** Longer than a frame, so that every word is painted by itself. */
const FRAME_PACE_MS = 20;
/** From here on bench and agent stand side by side. */
const WIDE = 900;

/** Collects what moved by itself on the page, in `window.shifts`. */
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

/** Tests of what holds for every answer: nothing jumps, nothing stalls. */
export function testCalm(stage: Stage): void {
  describe("calm", () => {
    it.each([
      [1440, "What is this project?", undefined],
      [1440, "Change 3 to 4 in src/apples.ts", "Decline"],
      [380, "What is this project?", undefined],
      [380, "Change 3 to 4 in src/apples.ts", "Decline"],
    ])("moves nothing while an answer streams in, %i pixels wide: %s", async (width, question, decision) => {
      await stage.reopen({ viewport: { width, height: 800 } });
      await stage.visitSlow(FRAME_PACE_MS);
      if (width < WIDE) await stage.page.getByRole("tab", { name: "Agent" }).click();
      await stage.page.getByLabel("Question").fill(question);
      await stage.page.evaluate(WATCH_SHIFTS);
      await stage.page.keyboard.press("Enter");
      if (decision !== undefined) await stage.page.getByRole("button", { name: decision }).click();
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
