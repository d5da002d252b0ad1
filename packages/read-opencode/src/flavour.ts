/** Which opencode the output looks like: `1.2`, or `1.18` as it prints today. */
export type OpencodeVersion = "1.2" | "1.18";

/** UTF-16 units of a line that are shown. */
export const MAX_LINE_LENGTH = 2000;
/** UTF-8 bytes of a page's lines and the newlines between them. */
export const MAX_PAGE_BYTES = 51_200;

export interface Shown {
  readonly first: number;
  readonly last: number;
  /** Lines of the whole file, where the page's end needs them. */
  readonly total: number;
}

/** Order by UTF-16 units. */
export function compareUnits(left: string, right: string): number {
  return Number(left > right) - Number(left < right);
}

const extensions = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const endOfFile = ({ total }: Shown) => `(End of file - total ${total} lines)`;

/** Everything in which two versions of opencode's read tool differ. */
export const FLAVOURS = {
  "1.2": {
    /** Whether parameters that the tool does not know are ignored, and an offset or a limit of 0 is taken. */
    isLenient: false,
    /** With "newline", the empty text after a last newline is a line, so that even an empty file has one. */
    lineEnds: "newline",
    cutMark: "...",
    /** Whether a page that `limit` ends says how many lines the file has, which costs reading all of it. */
    countsPastLimit: false,
    /** The sentence under a page, by what ended the page. */
    notices: {
      bytes: ({ last }: Shown) =>
        `(Output truncated at ${MAX_PAGE_BYTES} bytes. Use 'offset' parameter to read beyond line ${last})`,
      limit: ({ last }: Shown) => `(File has more lines. Use 'offset' parameter to read beyond line ${last})`,
      file: endOfFile,
    },
    sortKey: (entry: string) => entry.toLowerCase(),
    compareKeys: compareUnits,
    /** Lower-case file extensions that make a file binary, whatever is in it. */
    binaryExtensions: extensions(
      ".zip .tar .gz .bz2 .7z .rar .exe .dll .so .dylib .bin .class .jar .war .ear .pyc .pyo .pyd .obj .o .a .lib " +
        ".wasm .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .pdf .jpg .jpeg .png .gif .bmp .ico .webp .mp3 .mp4 " +
        ".avi .mov .mkv .ttf .otf .woff .woff2",
    ),
    /** Whether an extension alone makes a file an image or a PDF. */
    mediaByExtension: false,
    /** Whether suggestions are opencode's own: similar names in the order of the disk. */
    suggestsSimilarNames: false,
    /** Whether the metadata say what was loaded and what is displayed. */
    hasDisplay: false,
  },
  "1.18": {
    isLenient: true,
    lineEnds: "any",
    cutMark: `... (line truncated to ${MAX_LINE_LENGTH} chars)`,
    countsPastLimit: true,
    notices: {
      bytes: ({ first, last }: Shown) =>
        `(Output capped at ${MAX_PAGE_BYTES / 1024} KB. Showing lines ${first}-${last}. Use offset=${last + 1} to continue.)`,
      limit: ({ first, last, total }: Shown) =>
        `(Showing lines ${first}-${last} of ${total}. Use offset=${last + 1} to continue.)`,
      file: endOfFile,
    },
    sortKey: (entry: string) => entry,
    compareKeys: (left: string, right: string) => left.localeCompare(right),
    binaryExtensions: extensions(
      ".zip .tar .gz .exe .dll .so .class .jar .war .7z .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .bin .dat " +
        ".obj .o .a .lib .wasm .pyc .pyo",
    ),
    mediaByExtension: true,
    suggestsSimilarNames: true,
    hasDisplay: true,
  },
} as const;

export type Flavour = (typeof FLAVOURS)[OpencodeVersion];
