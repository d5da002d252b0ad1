import { holds, nameParts } from "./words.ts";

/** Where to look when names alone lead nowhere: code first, then prose. */
export const TEXT_FILES: readonly string[] = [
  "**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,go,rs,java,kt,rb,php,c,h,cc,cpp,hpp,cs,swift,scala,lua,sh,sql,vue,svelte}",
  "**/*.{md,mdx,rst,txt,toml,yml,yaml}",
];

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cc?|hpp|cpp|h|cs|swift|scala|lua|sh|sql|vue|svelte)$/iu;
const TEST = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|bench)\/|\.(?:test|spec|bench)\./iu;
const NOISE = /\.(?:json|lock|svg|map|snap|csv|min\.js)$|(?:^|\/)(?:CHANGELOG|LICENSE)|\.d\.ts$|-lock\.yaml$/iu;

/** How much a file of this kind is worth as a source for an answer: code over prose over tests over data. */
export function kindWeight(path: string): number {
  if (NOISE.test(path)) return 0.3;
  if (TEST.test(path)) return 0.35;
  return CODE.test(path) ? 1 : 0.7;
}

/** Paths in the order in which they are worth reading for some stems. */
export function rankPaths(paths: Iterable<string>, stems: readonly string[]): string[] {
  return [...new Set(paths)]
    .map((path) => ({ path, score: (1 + nameScore(path, stems)) * kindWeight(path) }))
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
    if (holds(directory, stem)) score += 1;
  }
  return score;
}
