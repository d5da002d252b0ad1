import { defineConfig } from "vitepress";
import { CHAPTERS } from "./chapters.ts";
import { readSite, slug } from "./pages.ts";

const { pages } = readSite();

function linkOf(source: string): { text: string; link: string }[] {
  return pages
    .filter((page) => page.source === source)
    .map(({ title, path }) => ({ text: title, link: `/${path.replace(/(?:index)?\.md$/u, "")}` }));
}

/** What VitePress is told; it begins in the folder of the pages. */
export default defineConfig({
  title: "fstools",
  description: "Filesystem tools for TypeScript coding agents.",
  base: "/fstools/",
  srcExclude: ["public/**"],
  outDir: "../../dist",
  cacheDir: "../vitepress",
  cleanUrls: true,
  markdown: { anchor: { slugify: slug } },
  themeConfig: {
    nav: [
      { text: "Recipes", link: "/recipes" },
      { text: "API", link: "/api/" },
    ],
    sidebar: [
      ...Object.entries(CHAPTERS).map(([text, sources]) => ({
        text,
        collapsed: false,
        items: sources.flatMap(linkOf),
      })),
      { text: "Reference", items: [{ text: "API", link: "/api/" }] },
    ],
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: "https://github.com/fstools/fstools" }],
  },
});
