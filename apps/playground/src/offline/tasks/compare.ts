import { bullets, plural } from "../evidence/quote.ts";
import type { Call, Investigation } from "../investigation.ts";
import type { Listing, Observation } from "../observation.ts";
import { openingSentence } from "./summarise.ts";

const README_LINES = 12;
const MAX_SHOWN = 20;

/** Compares two directories by what they say they are and by what they hold, or two files by their length. */
export function* compare(first: string, second: string): Investigation<string> {
  const sides = [first, second];
  const seen = yield {
    say: `I list '${first}' and '${second}'.`,
    calls: sides.map((path): Call => ({ tool: "LS", params: { path } })),
  };
  const [left, right] = seen;
  if (left?.kind !== "listing" || right?.kind !== "listing") return yield* compareFiles(sides, seen);
  const purposes = yield* purposesOf([left, right]);
  const names = { left: left.entries.map(nameOf), right: right.entries.map(nameOf) };
  const common = names.left.filter((name) => names.right.includes(name));
  const only = ({ entries }: Listing) => entries.filter((entry) => !common.includes(nameOf(entry)));
  return [
    ...sides.map((path, at) => `\`${path}\` has ${entryCount(at === 0 ? left : right)}.${purposes[at] ?? ""}`),
    common.length === 0 ? "" : `Both have ${firstOf(common)}.`,
    part(`Only \`${first}\` has`, only(left)),
    part(`Only \`${second}\` has`, only(right)),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function entryCount({ total }: Listing): string {
  return plural(total, "entry", "entries");
}

function part(words: string, paths: readonly string[]): string {
  return paths.length === 0 ? "" : `${words}:\n\n${bullets(paths, MAX_SHOWN)}`;
}

/** Names without code marks: the page would take those for paths, and link to them. */
function firstOf(names: readonly string[]): string {
  const rest = names.length - MAX_SHOWN;
  return names.slice(0, MAX_SHOWN).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function nameOf(entry: string): string {
  return entry.slice(entry.lastIndexOf("/", entry.length - 2) + 1);
}

/** What the READMEs say, each in a sentence. */
function* purposesOf(listings: readonly Listing[]): Investigation<readonly string[]> {
  const readmes = listings.map(({ entries }) => entries.find((entry) => /(?:^|\/)readme\.\w+$/iu.test(entry)));
  const paths = readmes.filter((path) => path !== undefined);
  if (paths.length === 0) return [];
  const calls = paths.map((path): Call => ({ tool: "Read", params: { path, limit: README_LINES } }));
  const seen = yield { say: "Their READMEs should say what they are.", calls };
  return readmes.map((path) => {
    const page = seen.find((one) => one.kind === "page" && one.path === path);
    const sentence = page?.kind === "page" ? openingSentence(page.lines) : undefined;
    return sentence === undefined ? "" : ` It says: ${sentence}`;
  });
}

function* compareFiles(paths: readonly string[], seen: readonly Observation[]): Investigation<string> {
  const missing = seen.find((one) => one.kind === "failure" && one.reason === "missing");
  if (missing?.kind === "failure") return `I cannot compare them: ${missing.message}`;
  const calls = paths.map((path): Call => ({ tool: "Read", params: { path, limit: 1 } }));
  const pages = yield { say: "They are files, so I ask how long each is.", calls };
  const lengths = pages.map((page, at) =>
    page.kind === "page"
      ? `\`${page.path}\` has ${plural(page.total ?? 0, "line")}.`
      : `I could not read \`${paths[at] ?? ""}\`.`,
  );
  return `${lengths.join("\n")}\n\nThat is all I can tell by rule; a language model could compare what they say.`;
}
