import { describe, expect, it } from "vitest";
import type { Stage } from "../support/stage.ts";

/** Tests of how the page looks and fits. */
export function testLooks(stage: Stage): void {
  describe("the looks", () => {
    it("comes in light and dark, and remembers the choice", async () => {
      await stage.visit("#/tool/Read?path=src/apples.ts");
      const background = () => stage.page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      await stage.page.emulateMedia({ colorScheme: "light" });
      const light = await background();
      await stage.page.emulateMedia({ colorScheme: "dark" });
      const dark = await background();
      expect(dark).not.toBe(light);
      await stage.page.getByRole("button", { name: "Theme: Auto" }).click();
      expect(await background()).toBe(light);
      await stage.page.reload();
      await stage.page.getByRole("button", { name: "Theme: Light" }).click();
      await stage.page.emulateMedia({ colorScheme: "light" });
      expect(await background()).toBe(dark);
    });

    it.each([
      ["light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
      ["dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
      ["narrow", { viewport: { width: 380, height: 800 }, colorScheme: "light" }],
      ["wide", { viewport: { width: 2200, height: 1200 }, colorScheme: "dark" }],
    ] as const)("fits its screen: %s", async (name, options) => {
      await stage.reopen(options);
      await stage.visit("#/tool/Read?path=story.txt&limit=40");
      if (name === "narrow") {
        await stage.page.screenshot({ path: `${stage.screenshots}narrow-bench.png` });
        expect(await stage.page.getByLabel("Question").isVisible()).toBe(false);
        await stage.page.getByRole("tab", { name: "Agent" }).click();
      }
      await stage.ask("Where is countApples defined?");
      await stage.shows("is defined at");
      const overflow = await stage.page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
      await stage.page.screenshot({ path: `${stage.screenshots}${name}.png` });
      if (name !== "narrow") return;
      for (const time of ["once", "and again"]) {
        await stage.page.getByRole("tab", { name: "Agent" }).click();
        await stage.page.getByRole("link", { name: "src/apples.ts:2", exact: true }).click();
        await expect.poll(() => stage.result().isVisible(), { message: time }).toBe(true);
      }
    });

    it.each([
      ["playground", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
      ["playground-dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
      ["playground-narrow", { viewport: { width: 380, height: 800 }, colorScheme: "light" }],
    ] as const)("shows an edit that waits, as in the README: %s", async (name, options) => {
      await stage.reopen(options);
      await stage.visit();
      if (name === "playground-narrow") await stage.page.getByRole("tab", { name: "Agent" }).click();
      await stage.page.locator(".suggestions button").first().click();
      const card = stage.page.getByRole("region", { name: "Edit wants to change src/prices.ts" });
      await card.getByRole("button", { name: "Approve" }).waitFor();
      if (name !== "playground-narrow") {
        await stage.page.goto(`${stage.server.url}#/tool/Grep?pattern=PRICES`);
        await stage.result().getByText("src/harvest.ts").first().waitFor();
      }
      const overflow = await stage.page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
      await stage.page.screenshot({ path: `${stage.screenshots}${name}.png` });
      await card.getByRole("button", { name: "Decline" }).click();
      await stage.page.getByRole("button", { name: /^Ask/u }).waitFor();
    });
  });
}
