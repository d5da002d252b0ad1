import { source as axeSource, type AxeResults } from "axe-core";
import { describe, expect, it } from "vitest";
import { loadPage } from "../../src/server/page-files.ts";
import { buildPage } from "../../src/server/build-page.ts";
import { startPlayground } from "../support/playground.ts";
import { READING_PACE_MS, type Stage } from "../support/stage.ts";

type View = readonly [name: string, open: (stage: Stage) => Promise<unknown>];

/** Makes a call in the tab as it is: without a reload axe-core stays loaded. */
async function makeCall(stage: Stage, address: string, expected = ".result.done"): Promise<void> {
  const answered = stage.page.waitForResponse(/\/api\/tools\//u);
  await stage.page.evaluate(`location.hash = ${JSON.stringify(`#/tool/${address}`)}`);
  await answered;
  await stage.page.locator(expected).waitFor();
}

const call = (address: string): View => [address, (stage) => makeCall(stage, address)];

/** The views of an answer, and of what surrounds it. */
const BENCH_VIEWS: readonly View[] = [
  call("LS?path=."),
  call("LS?path=many"),
  call("Glob?pattern=**/*.ts"),
  call("Glob?pattern=**/*.none"),
  call("Grep?pattern=apples&context=1"),
  call("Grep?pattern=apples&output_mode=files"),
  call("Grep?pattern=apples&output_mode=count"),
  call("Read?path=story.txt&limit=30"),
  call("Read?path=story.txt&limit=1000"),
  call("Read?path=src/pears.ts"),
  call("read?filePath=src/apples.ts"),
  call("Edit?path=src/apples.ts&old_string=3&new_string=4"),
  call("Write?path=new/file.txt&content=hello"),
  call("Read?path=src/apple.ts"),
  call("LS?limit=abc"),
  [
    "a tool that does not exist",
    async (stage) => {
      await makeCall(stage, "Fly?path=x", "[role=alert]");
      stage.complaints = [];
    },
  ],
  [
    "the tool as the model sees it, and all parameters",
    async (stage) => {
      await makeCall(stage, "Grep?pattern=apples&limit=5");
      await stage.page.locator("details.definition > summary").click();
      await stage.page.locator("details.definition").getByText('"pattern"').first().waitFor();
      await stage.page.locator("details.more-fields[open]").waitFor();
    },
  ],
  [
    "the truncator's answer",
    async (stage) => {
      await makeCall(stage, "LS?path=many");
      await stage.page.getByLabel("Truncator", { exact: true }).check();
      await stage.page.getByLabel("max bytes").fill("2000");
      await stage.page.keyboard.press("Enter");
      await stage.page.getByRole("tab", { name: /^Before/u }).waitFor();
    },
  ],
  [
    "two calls compared",
    async (stage) => {
      await makeCall(stage, "LS?path=src");
      await makeCall(stage, "Read?path=README.md");
      for (const made of ["LS path=src", "Read path=README.md"])
        await stage.page.getByRole("checkbox", { name: `Compare ${made}` }).check();
      await stage.page.getByRole("group", { name: "Comparison" }).waitFor();
    },
  ],
  [
    "a change that was made",
    async (stage) => {
      stage.project.write({ "colour.txt": "red\n" });
      await makeCall(stage, "Edit?path=colour.txt&old_string=red&new_string=blue");
      await stage.page.getByRole("button", { name: "Apply this change" }).click();
      await expect.poll(() => stage.status()).toContain("success");
    },
  ],
  // Last, since the tab stays chosen.
  ...[/^For the model/u, /^Document/u, /^Envelope/u].map((tab): View => [
    `the view ${String(tab)}`,
    (stage) => stage.page.getByRole("tab", { name: tab }).click(),
  ]),
];

const answered = (stage: Stage) => stage.page.getByRole("button", { name: /^Ask/u }).waitFor();

/** The views of the conversation. */
const AGENT_VIEWS: readonly View[] = [
  ["the welcome", (stage) => stage.visit()],
  [
    "an answer with a call opened",
    async (stage) => {
      await stage.visit();
      await stage.ask("Where is countApples defined?");
      await stage.shows("is defined at");
      await answered(stage);
      await stage.page.locator("details.call > summary").first().click();
      await stage.page.locator(".call-body details > summary").first().click();
    },
  ],
  [
    "a failed call",
    async (stage) => {
      await stage.visit();
      await stage.ask("Read src/apple.ts");
      await stage.page.locator("details.call", { hasText: "NOT_FOUND" }).waitFor();
      await answered(stage);
    },
  ],
  [
    "a change that waits",
    async (stage) => {
      await stage.visit();
      await stage.ask("Change 3 to 4 in src/apples.ts");
      await stage.page.getByRole("button", { name: "Decline" }).waitFor();
    },
  ],
  [
    "a declined change",
    async (stage) => {
      await stage.visit();
      await stage.ask("Change 3 to 4 in src/apples.ts");
      await stage.page.getByRole("button", { name: "Decline" }).click();
      await stage.shows("Nothing was changed.");
      await answered(stage);
    },
  ],
  [
    "an approved change, in the demo",
    async (stage) => {
      await stage.visit();
      await stage.page.locator(".suggestions button").first().click();
      await stage.page.getByRole("button", { name: "Approve" }).click();
      await stage.page.getByText("approved", { exact: true }).waitFor();
      await answered(stage);
    },
  ],
  [
    "a spent budget, and an answer that was stopped",
    async (stage) => {
      await stage.visitSlow(READING_PACE_MS);
      await stage.page.getByLabel("budget").fill("100");
      await stage.page.keyboard.press("Enter");
      await stage.ask("Read the whole of story.txt");
      await stage.page.getByText("Over the budget").waitFor();
      await stage.page.getByRole("button", { name: /^Stop/u }).click();
      await stage.page.getByText("Stopped.").waitFor();
    },
  ],
  [
    "a server that is gone",
    async (stage) => {
      const other = await startPlayground({ root: stage.project.root, page: loadPage(await buildPage()) });
      await stage.page.goto(other.url);
      await stage.result().waitFor();
      await other.close();
      await stage.ask("Hello");
      await stage.page.getByRole("alert").waitFor();
      await stage.page.getByRole("button", { name: /^Run LS/u }).click();
      await stage.page.locator(".bench").getByRole("alert").waitFor();
      stage.complaints = [];
    },
  ],
];

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 380, height: 800 };

/** Tests that everyone can use it: axe-core finds nothing wrong in any view, in light and dark, wide and narrow. */
export function testAccessibility(stage: Stage): void {
  /** What axe-core finds; colours alone where nothing else can have changed. */
  const violations = async (rules: "all" | "colours") => {
    const options = { resultTypes: ["violations"], ...(rules === "colours" && { runOnly: ["color-contrast"] }) };
    const { violations: found } = await stage.page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  };

  const check = async (pane: "Tool bench" | "Agent", view: string) => {
    if (await stage.page.evaluate<boolean>('typeof axe === "undefined"')) await stage.page.evaluate(axeSource);
    for (const size of [WIDE, NARROW]) {
      await stage.page.setViewportSize(size);
      if (size === NARROW) await stage.page.getByRole("tab", { name: pane }).click();
      for (const colorScheme of ["light", "dark"] as const) {
        await stage.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const rules = colorScheme === "light" ? "all" : "colours";
        expect.soft(await violations(rules), `${view}, ${size.width} pixels, ${colorScheme}`).toEqual([]);
      }
    }
  };

  describe("accessibility", () => {
    it("sees colours that are hard to tell apart, and a field without a name", async () => {
      await stage.visit();
      await stage.page.evaluate(axeSource);
      await stage.page.evaluate(
        `document.querySelector(".bench").prepend(document.createElement("input"), (() => {
          const pale = Object.assign(document.createElement("p"), { textContent: "pale" });
          Object.assign(pale.style, { color: "#ccc", background: "#fff" });
          return pale;
        })())`,
      );
      const found = (await violations("all")).map((violation) => violation.replace(/:.*/su, ""));
      expect(found).toEqual(["color-contrast", "label"]);
      expect(await violations("colours")).toHaveLength(1);
    });

    it("has no violation in any view of the bench", { timeout: 120_000 }, async () => {
      await stage.visit();
      for (const [name, open] of BENCH_VIEWS) {
        await stage.page.setViewportSize(WIDE);
        await open(stage);
        await check("Tool bench", name);
      }
    });

    it.each(AGENT_VIEWS)("has no violation in the conversation: %s", async (name, open) => {
      await open(stage);
      await check("Agent", name);
    });
  });
}
