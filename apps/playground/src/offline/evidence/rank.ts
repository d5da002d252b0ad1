import type { Match } from "../observation.ts";
import { holds, nameParts } from "../question/words.ts";

/** Files that people read: code and prose. */
export const TEXT_FILES =
  "*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,go,rs,java,kt,rb,php,c,h,cc,cpp,hpp,cs,swift,scala,lua,sh,sql,vue,svelte,md,mdx,rst,txt,toml,yml,yaml}";

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cc?|hpp|cpp|h|cs|swift|scala|lua|sh|sql|vue|svelte)$/iu;
const TEST = /(?:^|\/)(?:tests?|checks?|__tests__|specs?|fixtures?|bench|torture)\/|\.(?:test|spec|bench)\./iu;
const NOISE = /\.(?:json|lock|svg|map|snap|csv|min\.js)$|(?:^|\/)(?:CHANGELOG|LICENSE)|\.d\.ts$|-lock\.yaml$/iu;
const GUIDE = /(?:^|\/)(?:README|CONTRIBUTING)/u;

/** How much a file of this kind is worth as a source for an answer: code over prose over tests over data. */
export function kindWeight(path: string): number {
  if (NOISE.test(path) || path.startsWith(".")) return 0.3;
  if (TEST.test(path)) return 0.35;
  return CODE.test(path) ? 1 : 0.7;
}

/** Files with matches in the order in which they are worth reading for some stems. */
export function rankFiles(found: readonly Match[], stems: readonly string[], guides: boolean): string[] {
  const counts = new Map<string, number>();
  for (const { file, count } of found) counts.set(file, (counts.get(file) ?? 0) + count);
  return [...counts]
    .map(([path, count]) => {
      const guide = guides && GUIDE.test(path) ? 3 : 1;
      return { path, score: (1 + nameScore(path, stems)) * kindWeight(path) * guide * (1 + Math.log(count) / 4) };
    })
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

function nameScore(path: string, stems: readonly string[]): number {
  const slash = path.lastIndexOf("/");
  const directory = path.slice(0, slash + 1).toLowerCase();
  const parts = nameParts(path.slice(slash + 1).replace(/\.[^.]*$/u, ""));
  let score = 0;
  for (const stem of stems) {
    if (parts.some((part) => (stem.length < 4 ? part === stem : part.startsWith(stem))))
      score += 4 / Math.sqrt(parts.length);
    else if (parts.some((part) => holds(part, stem))) score += 1.5;
    if (holds(directory, stem)) score += 1.5;
  }
  return score;
}
