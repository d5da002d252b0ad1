import { Buffer } from "node:buffer";

interface PdfOptions {
  /** Added to the trailer. */
  readonly trailer?: string;
  /** Added to the catalog. */
  readonly catalog?: string;
  /** Added to the objects; the first one has the number 5. */
  readonly objects?: readonly (string | Buffer)[];
  /** Added to the resources of each page. */
  readonly resources?: string;
  /** In place of the content of a page. */
  readonly content?: Buffer;
  /** In place of the dictionary of the page tree. */
  readonly tree?: string;
}

/** A PDF with these lines of text on its pages, in any script. */
export function pdf(pages: readonly (readonly string[])[], options: PdfOptions = {}): Buffer {
  const { trailer = "", catalog = "", objects = [], resources = "", content, tree } = options;
  const first = 5 + objects.length;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(" ");
  const characters = [...new Set(pages.flat().join(""))];
  return written(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      tree ?? `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
      "<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts " +
        "[<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /CIDSystemInfo " +
        "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /FontDescriptor << /Type /FontDescriptor " +
        "/FontName /F /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent 200 /StemV 80 >> >>] >>",
      stream(toUnicode(characters)),
      ...objects,
      ...pages.flatMap((lines, index) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99999 800] /Contents ${first + 2 * index + 1} 0 R ` +
          `/Resources << /Font << /F 3 0 R >> ${resources} >> >>`,
        content ?? stream(textOf(lines, characters)),
      ]),
    ],
    trailer,
  );
}

/** A stream object, with what its dictionary says besides. */
export function stream(data: string | Buffer, dictionary = ""): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

const hex = (value: number) => value.toString(16).padStart(4, "0");

function textOf(lines: readonly string[], characters: readonly string[]): string {
  const shown = lines.map((line) => {
    const codes = Array.from(line, (character) => hex(1 + characters.indexOf(character))).join("");
    return `<${codes}> Tj 0 -14 Td`;
  });
  return `BT /F 12 Tf 20 780 Td ${shown.join(" ")} ET`;
}

function toUnicode(characters: readonly string[]): string {
  const map = characters.map((character, index) => {
    const units = Array.from({ length: character.length }, (_, unit) => hex(character.charCodeAt(unit)));
    return `1 beginbfchar <${hex(index + 1)}> <${units.join("")}> endbfchar`;
  });
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def 1 begincodespacerange <0000> <ffff> endcodespacerange ${map.join("\n")} endcmap end end`;
}

function written(objects: readonly (string | Buffer)[], trailer: string): Buffer {
  const parts = [Buffer.from("%PDF-1.7\n")];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
    places.push(length);
    parts.push(part);
    length += part.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const end =
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}` +
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

/** A PDF whose catalog is in a compressed stream of objects, which may be a bomb or be said to be in itself. */
export function compressedPdf(objects: string, filters: (data: Buffer) => Buffer, isInItself: boolean): Buffer {
  const numbers = "2 0 ";
  const head = Buffer.from("%PDF-1.7\n");
  const dictionary = `/Type /ObjStm /N 1 /First ${numbers.length} /Filter [/FlateDecode /FlateDecode]`;
  const held = stream(filters(Buffer.from(numbers + objects)), dictionary);
  const first = Buffer.concat([head, Buffer.from("3 0 obj\n"), held, Buffer.from("\nendobj\n")]);
  const entry = (type: number, field: number, index = 0) => [
    type,
    field >>> 24,
    field >>> 16,
    field >>> 8,
    field,
    index,
  ];
  const entries = [entry(0, 0), entry(0, 0), entry(2, 3), isInItself ? entry(2, 3, 1) : entry(1, head.length)];
  const table = stream(
    Buffer.from([...entries, entry(1, first.length)].flat()),
    "/Type /XRef /W [1 4 1] /Size 5 /Root 2 0 R",
  );
  const end = `\nendobj\nstartxref\n${first.length}\n%%EOF\n`;
  return Buffer.concat([first, Buffer.from("4 0 obj\n"), table, Buffer.from(end)]);
}
