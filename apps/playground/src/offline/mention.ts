import type { Investigation } from "./investigation.ts";
import { plural, reference } from "./quote.ts";
import { searchByReading } from "./search.ts";
import type { Line, Page } from "./observation.ts";
import { nameParts, stem } from "./words.ts";

const MAX_SHOWN = 20;

/** Finds files that mention a name, by reading, and says how far it looked. */
export function* mention(name: string): Investigation<string> {
  const pages = yield* searchByReading({
    subject: `'${name}'`,
    stems: [...new Set(nameParts(name).map(stem))],
    patience: 3,
    enough: () => false,
  });
  const read = new Set(pages.map((page) => page.path)).size;
  const firstOfFile = firstMentions(pages, name.toLowerCase());
  const head = `None of these tools searches inside files, so I read ${plural(read, "file")}; there may be more.`;
  if (firstOfFile.size === 0) return `${head} None of them mentions \`${name}\`.`;
  const items = [...firstOfFile].slice(0, MAX_SHOWN).map(([path, line]) => `- ${reference(path, [line])}`);
  const verb = firstOfFile.size === 1 ? "mentions" : "mention";
  return `${head} ${firstOfFile.size} of them ${verb} \`${name}\`:\n\n${items.join("\n")}`;
}

function firstMentions(pages: readonly Page[], name: string): ReadonlyMap<string, Line> {
  const found = new Map<string, Line>();
  for (const { path, lines } of pages) {
    const line = lines.find(({ text }) => text.toLowerCase().includes(name));
    if (line && !found.has(path)) found.set(path, line);
  }
  return found;
}
