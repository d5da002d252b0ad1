const between = (low: string, high: string) => (code: number) =>
  low.charCodeAt(0) <= code && code <= high.charCodeAt(0);
const isDigit = between("0", "9");
const isLower = between("a", "z");
const isUpper = between("A", "Z");
const isGraph = between("!", "~");
const isAlpha = (code: number): boolean => isLower(code) || isUpper(code);
const isAlnum = (code: number): boolean => isAlpha(code) || isDigit(code);

/** What `[:alpha:]` and the like stand for inside a character class: of ASCII only, as git and the C locale have it. */
export const POSIX_CLASSES: ReadonlyMap<string, (code: number) => boolean> = new Map(
  Object.entries({
    alnum: isAlnum,
    alpha: isAlpha,
    blank: (code) => code === 0x20 || code === 0x09,
    cntrl: (code) => code < 0x20 || code === 0x7f,
    digit: isDigit,
    graph: isGraph,
    lower: isLower,
    print: (code) => isGraph(code) || code === 0x20,
    punct: (code) => isGraph(code) && !isAlnum(code),
    space: (code) => code === 0x20 || (code >= 0x09 && code <= 0x0d),
    upper: isUpper,
    xdigit: (code) => isDigit(code) || between("a", "f")(code) || between("A", "F")(code),
  }),
);
