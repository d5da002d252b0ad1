import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildPage } from "../../src/server/build-page.ts";
import { loadPage } from "../../src/server/page-files.ts";
import { startServer } from "../support/playground.ts";
import { READING_PACE_MS, type Stage } from "../support/stage.ts";

/** Tests of the conversation with the agent. */
export function testAgent(stage: Stage): void {
  describe("the agent", () => {
    it("shows its steps and its answer", async () => {
      await stage.visit();
      await stage.ask("Where is countApples defined?");
      await stage.shows("is defined at");
      const card = stage.page.locator("details.call", { hasText: "countApples" }).first();
      expect(await card.textContent()).toContain("success");
      await card.locator("summary").first().click();
      await card.getByText("1 match in 1 file").first().waitFor();
      await stage.shows(/not a language model/u);
      await stage.page.getByText("entered the context").waitFor();
      expect(await stage.page.locator(".context-meter").textContent()).toMatch(/^[1-9]\d* tokens entered/u);
      await stage.page.getByRole("link", { name: "src/apples.ts:2", exact: true }).click();
      await stage.result().getByText("export function countApples() {").waitFor();
    });

    it("leads from the paths in an answer to the bench", async () => {
      await stage.visit();
      await stage.ask("What is in src?");
      await stage.page.locator(".prose").getByRole("link", { name: "src/apples.ts" }).click();
      await stage.result().getByText("export function countApples() {").waitFor();
      await stage.ask("What is in .?");
      await stage.page.locator(".prose").getByRole("link", { name: "many/" }).click();
      await stage.result().getByText("item-000.md").waitFor();
    });

    it("stops when told to", async () => {
      await stage.visitSlow(READING_PACE_MS);
      await stage.ask("Read the whole of story.txt");
      await stage.page.getByRole("button", { name: /^Stop/u }).click();
      await stage.page.getByText("Stopped.").waitFor();
      await stage.page.getByRole("button", { name: /^Ask/u }).waitFor();
      await stage.ask("What is in src?");
      await stage.shows("has 2 entries");
    });

    it("shows a failing call and its recovery", async () => {
      await stage.visit();
      await stage.ask("Read src/apple.ts");
      await stage.page.locator("details.call", { hasText: "NOT_FOUND" }).waitFor();
      await stage.shows("the error suggests 'src/apples.ts'");
    });

    it("warns when the budget is spent", async () => {
      await stage.visit();
      await stage.page.getByLabel("budget").fill("100");
      await stage.page.keyboard.press("Enter");
      await stage.ask("Read story.txt");
      await stage.page.getByRole("alert").getByText("Over the budget of 100.").waitFor();
      await stage.page.getByRole("button", { name: /^Ask/u }).waitFor();
    });

    it("keeps the conversation over a reload, for the reader and for the model", async () => {
      await stage.visit();
      await stage.ask("Read story.txt lines 1-3");
      await stage.shows("line 3 of the story");
      await stage.page.getByRole("button", { name: /^Ask/u }).waitFor();
      await stage.page.reload();
      await stage.shows("line 3 of the story");
      await stage.ask("continue");
      await stage.shows("line 6 of the story");
    });

    it("starts a new chat", async () => {
      await stage.visit();
      await stage.page.getByRole("button", { name: "What is this project?" }).click();
      await stage.shows("Orchard counts apples");
      await stage.page.getByRole("button", { name: "New chat" }).click();
      await stage.page.getByRole("button", { name: "What is this project?" }).waitFor();
    });

    it("takes a newcomer in one click to an edit, which waits for approval", async () => {
      await stage.visit();
      await stage.page.locator(".suggestions button").first().click();
      const card = stage.page.getByRole("region", { name: "Edit wants to change src/prices.ts" });
      await card.getByText("apple: 0.75,").waitFor();
      await stage.page.screenshot({ path: `${stage.screenshots}approval.png` });
      await stage.page.goto(`${stage.server.url}#/tool/Read?path=src/prices.ts&limit=5`);
      await stage.result().getByText("apple: 0.6,").waitFor();
      await card.getByRole("button", { name: "Approve" }).click();
      await card.getByText("approved").waitFor();
      await stage.shows(/in 1 file:/u);
      const saved = /Saved (\d+) % of whole files/u.exec((await stage.page.locator(".meter-note").textContent()) ?? "");
      expect(Number(saved?.[1])).toBeGreaterThan(50);
      await stage.page.getByRole("button", { name: /^Run Read/u }).click();
      await stage.result().getByText("apple: 0.75,").waitFor();
      await stage.page.getByRole("button", { name: "Back to the project" }).click();
      await stage.page.getByRole("button", { name: "Open the demo" }).waitFor();
    });

    it("writes nothing when the user declines", async () => {
      await stage.visit("#/tool/Read?path=src/apples.ts");
      await stage.ask("Change 3 to 4 in src/apples.ts");
      const card = stage.page.getByRole("region", { name: "Edit wants to change src/apples.ts" });
      await card.getByRole("button", { name: "Decline" }).click();
      await card.getByText("declined, nothing was written").waitFor();
      await stage.shows("Nothing was changed.");
      await stage.page.getByRole("button", { name: /^Run Read/u }).click();
      await stage.result().getByText("return 3;").waitFor();
      expect(readFileSync(stage.project.path("src", "apples.ts"), "utf8")).toContain("return 3;");
    });

    it("says when the server is gone", async () => {
      const other = await startServer({ root: stage.project.root, page: loadPage(await buildPage()) });
      await stage.page.goto(other.url);
      await stage.page.getByRole("region", { name: "Result" }).waitFor();
      await other.close();
      await stage.ask("Hello");
      await stage.page.getByRole("alert").getByText("The playground's server does not answer.").waitFor();
      await stage.page.getByRole("button", { name: /^Run LS/u }).click();
      await stage.page.locator(".bench").getByRole("alert").waitFor();
      stage.complaints = stage.complaints.filter((text) => !text.includes("ERR_CONNECTION_REFUSED"));
    });
  });
}
