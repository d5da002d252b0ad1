import type { LineEnds } from "@fstools/text";

/** Which opencode the output looks like: `1.2`, or `1.18` as it prints today. */
export type OpencodeVersion = "1.2" | "1.18";

/** UTF-16 units of a line that are shown. */
export const MAX_LINE_LENGTH = 2000;
/** UTF-8 bytes of a page's lines and the newlines between them. */
export const MAX_PAGE_BYTES = 51_200;

interface Shown {
  readonly first: number;
  readonly last: number;
  /** Lines of the whole file, where the page's end needs them. */
  readonly total: number;
}

/** Everything in which two versions of opencode's read tool differ. */
export interface Flavour {
  /** The smallest `offset` and `limit` taken; an offset of 0 then means 1. */
  readonly minimum: 0 | 1;
  /** Whether parameters that the tool does not know are ignored. */
  readonly ignoresUnknown: boolean;
  readonly lineEnds: LineEnds;
  /** Whether the empty text after a last newline is a line, so that even an empty file has one. */
  readonly emptyLastLine: boolean;
  readonly cutMark: string;
  /** Whether a page that `limit` ends says how many lines the file has, which costs reading all of it. */
  readonly countsPastLimit: boolean;
  /** The sentence under a page, by what ended the page. */
  readonly notices: Readonly<Record<"bytes" | "limit" | "file", (shown: Shown) => string>>;
  readonly sortKey: (entry: string) => string;
  readonly compareKeys: (left: string, right: string) => number;
  /** Lower-case file extensions that make a file binary, whatever is in it. */
  readonly binaryExtensions: ReadonlySet<string>;
  /** Whether an extension alone makes a file an image or a PDF. */
  readonly mediaByExtension: boolean;
  /** Whether suggestions are opencode's own: similar names in the order of the disk. */
  readonly suggestsSimilarNames: boolean;
  /** Whether `metadata` has `loaded` and `display`. */
  readonly hasDisplay: boolean;
}

/** Order by UTF-16 units. */
export function compareUnits(left: string, right: string): number {
  return Number(left > right) - Number(left < right);
}

function extensions(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

const endOfFile = ({ total }: Shown) => `(End of file - total ${total} lines)`;

export const FLAVOURS: Readonly<Record<OpencodeVersion, Flavour>> = {
  "1.2": {
    minimum: 1,
    ignoresUnknown: false,
    lineEnds: "newline",
    emptyLastLine: true,
    cutMark: "...",
    countsPastLimit: false,
    notices: {
      bytes: ({ last }) =>
        `(Output truncated at ${MAX_PAGE_BYTES} bytes. Use 'offset' parameter to read beyond line ${last})`,
      limit: ({ last }) => `(File has more lines. Use 'offset' parameter to read beyond line ${last})`,
      file: endOfFile,
    },
    sortKey: (entry) => entry.toLowerCase(),
    compareKeys: compareUnits,
    binaryExtensions: extensions(
      ".zip .tar .gz .bz2 .7z .rar .exe .dll .so .dylib .bin .class .jar .war .ear .pyc .pyo .pyd .obj .o .a .lib " +
        ".wasm .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .pdf .jpg .jpeg .png .gif .bmp .ico .webp .mp3 .mp4 " +
        ".avi .mov .mkv .ttf .otf .woff .woff2",
    ),
    mediaByExtension: false,
    suggestsSimilarNames: false,
    hasDisplay: false,
  },
  "1.18": {
    minimum: 0,
    ignoresUnknown: true,
    lineEnds: "any",
    emptyLastLine: false,
    cutMark: `... (line truncated to ${MAX_LINE_LENGTH} chars)`,
    countsPastLimit: true,
    notices: {
      bytes: ({ first, last }) =>
        `(Output capped at ${MAX_PAGE_BYTES / 1024} KB. Showing lines ${first}-${last}. Use offset=${last + 1} to continue.)`,
      limit: ({ first, last, total }) =>
        `(Showing lines ${first}-${last} of ${total}. Use offset=${last + 1} to continue.)`,
      file: endOfFile,
    },
    sortKey: (entry) => entry,
    compareKeys: (left, right) => left.localeCompare(right),
    binaryExtensions: extensions(
      ".zip .tar .gz .exe .dll .so .class .jar .war .7z .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .bin .dat " +
        ".obj .o .a .lib .wasm .pyc .pyo",
    ),
    mediaByExtension: true,
    suggestsSimilarNames: true,
    hasDisplay: true,
  },
};
