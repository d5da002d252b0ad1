import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { CHAPTERS } from "./chapters.ts";

/** The repository. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const REPOSITORY = "https://github.com/fstools/fstools";
const FENCED = /(^ *```[^]*?^ *```$)/gmu;
const LINK = /(?<=\]\()[^)\s]+(?=\))/gu;
const COMMENT = /<!--[^]*?-->\n?/gu;

/** A page of the site. */
export interface Page {
  /** In the repository. */
  readonly source: string;
  /** On the site, such as `packages/ls/index.md`. */
  readonly path: string;
  readonly title: string;
  /** Its first sentence. */
  readonly summary: string;
  readonly markdown: string;
}

/** What the site is made of. */
export interface Site {
  readonly pages: readonly Page[];
  /** Files that pages show, in the repository. */
  readonly pictures: readonly string[];
  /** Links to what is not there, each with its page. */
  readonly deadLinks: readonly string[];
}

/** All pages that are written by hand, with links that hold on the site. */
export function readSite(): Site {
  const decisions = readdirSync(join(ROOT, "docs", "decisions")).map((name) => `docs/decisions/${name}`);
  const sources = [...new Set([...Object.values(CHAPTERS).flat(), ...decisions])];
  const texts = new Map(sources.map((source) => [source, readFileSync(join(ROOT, source), "utf8")]));
  const pictures = new Set<string>();
  const deadLinks: string[] = [];

  function linked(source: string, link: string): string {
    if (/^(?:[a-z]+:|\/)/u.test(link)) return link;
    const [target = "", anchor] = link.split("#");
    const file = target === "" ? source : posix.join(posix.dirname(source), target);
    const text = texts.get(file) ?? texts.get(`${file}/README.md`);
    const isThere = existsSync(join(ROOT, file));
    if (!isThere || (anchor !== undefined && text !== undefined && !anchorsOf(text).has(anchor))) {
      deadLinks.push(`${source}: ${link}`);
    }
    const end = anchor === undefined ? "" : `#${anchor}`;
    if (text !== undefined) return `/${pathOf(texts.has(file) ? file : `${file}/README.md`)}${end}`;
    if (/\.(?:svg|png)$/u.test(file)) {
      pictures.add(file);
      return `/${file}`;
    }
    const kind = isThere && statSync(join(ROOT, file)).isDirectory() ? "tree" : "blob";
    return `${REPOSITORY}/${kind}/main/${file}${end}`;
  }

  const pages = [...texts].map(([source, text]) => {
    const markdown = prose(text.replace(COMMENT, ""), (part) => part.replace(LINK, (link) => linked(source, link)));
    return { source, path: pathOf(source), title: titleOf(text), summary: summaryOf(text), markdown };
  });
  return { pages, pictures: [...pictures], deadLinks };
}

/** The anchor of a heading, as GitHub makes it. */
export function slug(heading: string): string {
  const plain = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return plain.replaceAll(/\s/gu, "-");
}

function pathOf(source: string): string {
  return source.replace("apps/site/pages/", "").replace(/README\.md$/u, "index.md");
}

/** A text with all that is not a block of code made new. */
function prose(text: string, make: (part: string) => string): string {
  const parts = text.split(FENCED);
  return parts.map((part, index) => (index % 2 === 1 ? part : make(part))).join("");
}

function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  prose(text, (part) => {
    for (const [, heading = ""] of part.matchAll(/^#+ +(.+)$/gmu)) anchors.add(slug(withoutLinks(heading)));
    return part;
  });
  return anchors;
}

function titleOf(text: string): string {
  return /^# +(.+)$/mu.exec(text)?.[1] ?? "";
}

/** The first sentence of the text. */
function summaryOf(text: string): string {
  const [paragraph = ""] = /^(?:`[^`]|[\p{L}*])[^\n]*/mu.exec(text) ?? [];
  const [sentence] = /^.*?[.?](?=\W* |\W*$)/u.exec(paragraph) ?? [paragraph];
  return withoutLinks(sentence).replaceAll("**", "").replace(/:$/u, ".");
}

function withoutLinks(text: string): string {
  return text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1");
}
