import { CHAPTERS } from "./chapters.ts";
import type { Page } from "./pages.ts";

/** What https://llmstxt.org asks for: each page with its first sentence. The pages are there as Markdown, too. */
export function llmsText(pages: readonly Page[]): string {
  const chapters = Object.entries(CHAPTERS).map(([chapter, sources]) => {
    const rows = pages.filter(({ source }) => sources.includes(source));
    return [`## ${chapter}`, "", ...rows.map(({ title, path, summary }) => `- [${title}](${path}): ${summary}`)].join(
      "\n",
    );
  });
  const [start] = pages;
  return [`# ${start?.title ?? ""}`, `> ${start?.summary ?? ""}`, ...chapters].join("\n\n") + "\n";
}
