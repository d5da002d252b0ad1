import { describe, expect, it } from "vitest";
import { CHAPTERS } from "../src/chapters.ts";
import { llmsText } from "../src/llms.ts";
import { type Page, readSite, slug } from "../src/pages.ts";

const { pages, pictures, deadLinks } = readSite();

// Rule: Every link in the READMEs and pages leads to something that is there, and to a heading that it has.
describe("the site", () => {
  it("has no dead link", () => {
    expect(deadLinks).toEqual([]);
  });

  it("has every page that its sidebar names, with a title and a first sentence", () => {
    const named = Object.values(CHAPTERS).flat();
    const shown = pages.filter(({ source }) => named.includes(source));
    expect(shown.map(({ source }) => source)).toEqual(named);
    const isUntold = ({ title, summary }: Page) => title === "" || !/\S.*[.?!]$/u.test(summary);
    expect(shown.filter(isUntold).map(({ source }) => source)).toEqual([]);
  });

  it("keeps links between pages on the site, and sends all others to the repository", () => {
    const start = pages.find(({ path }) => path === "index.md")?.markdown ?? "";
    expect(start).toContain("](/packages/read/index.md)");
    expect(start).toContain("](https://github.com/fstools/fstools/tree/main/examples)");
    expect(start).not.toMatch(/\]\((?!\/|https:|#)/u);
    expect(pictures).toContain("docs/playground/first-1440-light.png");
  });

  it("has a text for programs, which names each page once", () => {
    const text = llmsText(pages);
    expect(text).toMatch(/^# fstools\n\n> Filesystem tools for TypeScript coding agents/u);
    const links = [...text.matchAll(/\]\((.*?)\)/gu)].map(([, link]) => link);
    expect(new Set(links).size).toBe(links.length);
    expect(links).toEqual(expect.arrayContaining(["packages/ls/index.md", "complaints.md", "SECURITY.md"]));
  });
});

describe("slug", () => {
  it.each([
    ["What is there, and what is not", "what-is-there-and-what-is-not"],
    ["A search shows what is in `.env`", "a-search-shows-what-is-in-env"],
    ["Glob's order: `a/b`", "globs-order-ab"],
  ])("is GitHub's: %s", (heading, anchor) => {
    expect(slug(heading)).toBe(anchor);
  });
});
