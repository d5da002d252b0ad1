import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { STORY_LINES, type Stage } from "../support/stage.ts";

/** Tests of the tool bench. */
export function testBench(stage: Stage): void {
  describe("the tool bench", () => {
    it("starts with a listing of the project", async () => {
      await stage.visit();
      await stage.result().getByRole("link", { name: "README.md" }).waitFor();
      expect(await stage.status()).toContain("success");
      expect(await stage.result().textContent()).toContain("conforms");
    });

    it("runs every tool from its form", async () => {
      await stage.visit();
      for (const [tool, field, value, expected] of [
        ["LS", "path", "src", "apples.ts"],
        ["Glob", "pattern", "**/*.ts", "apples.ts"],
        ["Grep", "pattern", "countApples", "export function countApples() {"],
        ["Read", "path", "src/apples.ts", "export function countApples() {"],
        ["read opencode", "filePath", "src/apples.ts", "export function countApples() {"],
      ] as const) {
        await stage.page.getByRole("tab", { name: tool, exact: true }).click();
        await stage.page.getByLabel(field, { exact: false }).first().fill(value);
        await stage.page.keyboard.press("Enter");
        await stage.result().getByText(expected).first().waitFor();
        expect(await stage.status()).toContain("success");
        expect(await stage.result().textContent()).toContain("conforms");
      }
    });

    it("makes the form from the schema, with defaults, ranges and descriptions", async () => {
      await stage.visit("#/tool/Read?path=README.md");
      const limit = stage.page.getByLabel("limit", { exact: true });
      expect(await limit.getAttribute("placeholder")).toBe("500");
      await stage.shows("1–2000, default 500");
      await stage.shows("The maximum number of lines to read.");
    });

    it("shows the envelope in four ways", async () => {
      await stage.visit("#/tool/Read?path=README.md");
      await stage.result().getByText("Orchard counts apples").waitFor();
      await stage.page.getByRole("tab", { name: /^For the model/u }).click();
      await stage.result().getByText("1\t# Orchard").waitFor();
      await stage.page.getByRole("tab", { name: /^Envelope/u }).click();
      await stage.result().getByText('"status": "success"').waitFor();
    });

    it("says which call a result is of, also when another tool is chosen", async () => {
      await stage.visit("#/tool/LS?path=src");
      await stage.result().getByText("apples.ts").waitFor();
      await stage.page.getByRole("tab", { name: "Glob", exact: true }).click();
      expect(await stage.result().locator("header p").textContent()).toBe("LS path=src");
    });

    it.each([1280, 380])("shows the tabs of a large answer whole, %i pixels wide", async (width) => {
      await stage.reopen({ viewport: { width, height: 800 } });
      await stage.visit("#/tool/Read?path=story.txt");
      const tabs = stage.page.getByRole("tablist", { name: "View of the envelope" });
      expect(await tabs.textContent()).toMatch(/Envelope \d,\d{3} tokens/u);
      const hidden = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.views'))";
      expect(await stage.page.evaluate<number>(hidden)).toBe(0);
    });

    it("pages to the end of a long file", async () => {
      await stage.visit("#/tool/Read?path=story.txt");
      for (const line of [501, 1001]) {
        await stage.page.getByRole("link", { name: "Next page" }).click();
        await stage.result().getByText(`line ${line} of the story`).waitFor();
      }
      await stage.result().getByText(`line ${STORY_LINES} of the story`).waitFor();
      expect(await stage.status()).toContain("success");
      expect(await stage.page.getByRole("link", { name: "Next page" }).count()).toBe(0);
      expect(stage.page.url()).toContain("#/tool/Read?path=story.txt&start_line=1001");
    });

    it("follows the pages of LS and Glob", async () => {
      await stage.visit("#/tool/LS?path=many");
      await stage.page.getByRole("link", { name: "Next page" }).click();
      await stage.result().getByText("item-119.md").waitFor();
      await stage.page.goto(`${stage.server.url}#/tool/Glob?pattern=many/*`);
      for (const item of ["item-099.md", "item-119.md"]) {
        await stage.page.getByRole("link", { name: "Next page" }).click();
        await stage.result().getByText(item).waitFor();
      }
      expect(await stage.status()).toContain("success");
    });

    it("leads from LS to Read, and back", async () => {
      await stage.visit();
      await stage.result().getByRole("link", { name: /^src/u }).click();
      await stage.result().getByRole("link", { name: "apples.ts" }).click();
      await stage.result().getByText("export function countApples() {").waitFor();
      expect(stage.page.url()).toContain("#/tool/Read?path=src/apples.ts");
      await stage.page.goBack();
      await stage.result().getByRole("link", { name: "pears.ts" }).waitFor();
      expect(await stage.page.getByLabel("path", { exact: true }).inputValue()).toBe("src");
    });

    it("shows an error and the way out of it", async () => {
      await stage.visit("#/tool/Read?path=src/apple.ts");
      expect(await stage.status()).toContain("NOT_FOUND");
      await stage.page.getByRole("link", { name: "Open apples.ts" }).click();
      await stage.result().getByText("export function countApples() {").waitFor();
    });

    it("passes a wrong value on, so that the tool can say what is wrong", async () => {
      await stage.visit("#/tool/LS?limit=abc");
      expect(await stage.status()).toContain("INVALID_PARAM");
      await stage.shows("limit must be an integer between 1 and 200.");
      await stage.page.goto(`${stage.server.url}#/tool/LS?pattern=x`);
      await stage.shows(/Unknown parameter 'pattern'/u);
    });

    it("says when a tool does not exist", async () => {
      await stage.page.goto(`${stage.server.url}#/tool/Fly?path=x`);
      await stage.page.getByRole("alert").getByText("There is no tool 'Fly'.").waitFor();
      // The browser reports the 404 as well.
      stage.complaints = stage.complaints.filter((text) => !text.includes("404"));
    });

    it("shows what the truncator keeps, before and after, and the spilled file", async () => {
      await stage.visit("#/tool/LS?path=many");
      await stage.page.getByLabel("Truncator", { exact: true }).check();
      await stage.shows("It fits, so the truncator returned the same answer.");
      await stage.page.getByLabel("max bytes").fill("2000");
      await stage.page.keyboard.press("Enter");
      await stage.page.getByRole("tab", { name: /^Before/u }).waitFor();
      expect(await stage.status()).toContain("partial");
      await stage.result().getByText("The output of LS is").waitFor();
      await stage.page.getByRole("tab", { name: /^Before/u }).click();
      await stage.result().getByRole("link", { name: "item-099.md" }).waitFor();
      await stage.page.getByRole("link", { name: "Open the spilled file" }).click();
      await stage.result().getByText('"path": "many/item-000.md",').waitFor();
      await stage.shows("This tool has its own pages, so the truncator leaves its answers alone.");
      await stage.page.getByLabel("Truncator", { exact: true }).uncheck();
      await stage.page.getByText("This tool has its own pages").waitFor({ state: "detached" });
    });

    it("searches inside files, and leads from a match to its place", async () => {
      await stage.visit("#/tool/Grep?pattern=return");
      expect(await stage.status()).toContain("success");
      await stage
        .result()
        .getByRole("link", { name: /return 3/u })
        .click();
      await stage.result().getByText("export function countApples() {").waitFor();
      expect(stage.page.url()).toContain("#/tool/Read?path=src/apples.ts&start_line=1");
    });

    it("shows a tool as the model sees it, with what it costs", async () => {
      await stage.visit("#/tool/Read?path=README.md");
      const definition = stage.page.locator("details.definition");
      await definition.getByText(/^\d+ tokens of every request$/u).waitFor();
      await definition.locator("summary").click();
      await definition.getByText('"start_line"').waitFor();
      const tabs = await stage.page.getByRole("tablist", { name: "View of the envelope" }).textContent();
      const [compact, layout, envelope] = [...(tabs ?? "").matchAll(/([\d,]+) tokens/gu)].map(([, n]) => Number(n));
      expect(compact).toBeLessThan(layout ?? 0);
      expect(layout).toBeLessThan(envelope ?? 0);
    });

    it("copies the answer, and calls that give it again", async () => {
      await stage.visit("#/tool/Read?path=src/apples.ts&limit=2");
      const copied = async (name: string) => {
        await stage.page.getByRole("button", { name: `Copy ${name}`, exact: true }).click();
        await stage.page.getByRole("status").getByText("copied").first().waitFor();
        return stage.page.evaluate<string>("navigator.clipboard.readText()");
      };
      expect(JSON.parse(await copied("JSON"))).toMatchObject({ status: "partial", stats: { total_lines: 4 } });
      expect(await copied("view")).toContain("1\t/** Counts apples. */");
      expect(JSON.parse(await copied("MCP request"))).toMatchObject({
        method: "tools/call",
        params: { name: "Read", arguments: { path: "src/apples.ts", limit: 2 } },
      });
      expect(await copied("TypeScript")).toContain('import { createReadTool } from "@fstools/read";');
      const { stdout } = await promisify(execFile)("sh", ["-c", await copied("curl")]);
      expect(JSON.parse(stdout)).toMatchObject({ response: { stats: { total_lines: 4 } } });
    });

    it("keeps earlier calls over a reload, and compares two", async () => {
      await stage.visit("#/tool/Read?path=README.md");
      await stage.result().getByText("Orchard counts apples").waitFor();
      await stage.page.goto(`${stage.server.url}#/tool/Glob?pattern=src/*`);
      await stage.result().getByRole("link", { name: "apples.ts" }).waitFor();
      await stage.page.reload();
      await stage.page.getByRole("checkbox", { name: "Compare Glob pattern=src/*" }).check();
      await stage.page.getByRole("checkbox", { name: "Compare Read path=README.md" }).check();
      const comparison = stage.page.getByRole("group", { name: "Comparison" });
      await comparison.getByText("Orchard counts apples").waitFor();
      await comparison.getByText("2 files").waitFor();
      await stage.page.getByRole("link", { name: /Read path=README\.md/u }).click();
      await stage.result().getByText("Orchard counts apples").waitFor();
    });

    it("tries an edit before it makes it, and shows the diff", async () => {
      stage.project.write({ "draft.txt": "one\ntwo\nthree\n" });
      const content = () => readFileSync(stage.project.path("draft.txt"), "utf8");
      await stage.visit("#/tool/Edit?path=draft.txt&old_string=two&new_string=2");
      expect(await stage.status()).toContain("partial");
      const diff = stage.result().getByRole("region", { name: "Diff" });
      expect(await diff.textContent()).toContain("two");
      expect(await stage.page.locator(".diff-row.split").count()).toBeGreaterThan(0);
      expect(content()).toBe("one\ntwo\nthree\n");
      // The next step of a dry run is to apply it, not a page.
      expect(await stage.result().getByRole("link").count()).toBe(0);
      await stage.page.getByRole("button", { name: "Apply this change" }).click();
      await expect.poll(() => stage.status()).toContain("success");
      expect(content()).toBe("one\n2\nthree\n");
      await stage.page.setViewportSize({ width: 380, height: 800 });
      await expect.poll(() => stage.page.locator(".diff-row.split").count()).toBe(0);
      expect(await diff.textContent()).toContain("−two");
    });

    it("makes a file with Write, after a dry run", async () => {
      await stage.visit("#/tool/Write?path=made/new.txt&content=hello");
      await stage.shows(/Dry Run/u);
      expect(existsSync(stage.project.path("made"))).toBe(false);
      await stage.page.getByRole("button", { name: "Apply this change" }).click();
      await expect.poll(() => stage.status()).toContain("success");
      expect(readFileSync(stage.project.path("made", "new.txt"), "utf8")).toBe("hello");
    });

    it("works with the keyboard alone", async () => {
      await stage.visit();
      await stage.page.getByRole("tab", { name: "LS" }).focus();
      await stage.page.keyboard.press("ArrowRight");
      await stage.page.keyboard.press("Tab");
      await stage.page.keyboard.type("*.json");
      await stage.page.keyboard.press("Control+Enter");
      await stage.result().getByRole("link", { name: "package.json" }).waitFor();
      await stage.page.keyboard.press("Escape");
      await stage.page.getByRole("link", { name: "package.json" }).focus();
      await stage.page.keyboard.press("Enter");
      await stage.result().getByText('"name": "orchard"').waitFor();
      await stage.page.getByRole("tab", { name: "Data" }).focus();
      await stage.page.keyboard.press("/");
      await expect.poll(() => stage.page.evaluate<string>("document.activeElement.id")).toBe("question");
    });
  });
}
