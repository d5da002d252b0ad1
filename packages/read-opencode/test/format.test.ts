import { createSandbox } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { FLAVOURS } from "../src/flavour.ts";
import { formatResult, hasMoreEntries, lastLine } from "../src/format.ts";

const flavour = FLAVOURS["1.2"];

async function pathOf(name: string) {
  const sandbox = createSandbox({ projectRoot: fixture({ [name]: "" }).root });
  return sandbox.resolve(name);
}

describe("formatResult", () => {
  it("numbers lines from the page's first", async () => {
    const path = await pathOf("a.txt");
    const page = { lines: ["x", "", "z"], end: "limit", total: 50, cutLines: 0, isDamaged: false } as const;
    const { title, output, metadata } = formatResult({ kind: "file", path, first: 9, page, sizeBytes: 1 }, flavour);
    expect(title).toBe("a.txt");
    expect(output).toBe(
      `<path>${path.absolute}</path>\n<type>file</type>\n<content>\n9: x\n10: \n11: z\n\n(File has more lines. Use 'offset' parameter to read beyond line 11)\n</content>`,
    );
    expect(metadata).toEqual({ preview: "x\n\nz", truncated: true });
  });

  it("previews 20 entries", async () => {
    const entries = Array.from({ length: 25 }, (_, index) => `e${index}`);
    const content = {
      kind: "directory",
      path: await pathOf("a"),
      first: 1,
      page: { entries, shown: entries, total: 25 },
    } as const;
    expect(formatResult(content, flavour).metadata).toEqual({
      preview: entries.slice(0, 20).join("\n"),
      truncated: false,
    });
  });

  it("attaches", async () => {
    const attachment = { type: "file", mime: "image/png", url: "data:," } as const;
    const content = { kind: "attachment", path: await pathOf("a.png"), attachment } as const;
    expect(formatResult(content, flavour)).toEqual({
      title: "a.png",
      output: "Image read successfully",
      metadata: { preview: "Image read successfully", truncated: false },
      attachments: [attachment],
    });
  });
});

describe("hasMoreEntries and lastLine", () => {
  it("look at the page's place in the whole", async () => {
    const path = await pathOf("a");
    const directory = (first: number, count: number) =>
      hasMoreEntries({
        kind: "directory",
        path,
        first,
        page: { entries: Array<string>(count).fill("x"), shown: [], total: 5 },
      });
    expect([directory(1, 4), directory(1, 5), directory(2, 4), directory(9, 0)]).toEqual([true, false, false, false]);
    const page = { lines: ["a", "b"], end: "file", total: 8, cutLines: 0, isDamaged: false } as const;
    expect(lastLine({ kind: "file", path, first: 7, page, sizeBytes: 0 })).toBe(8);
  });
});
