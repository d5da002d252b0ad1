import { Buffer } from "node:buffer";
import { createPacer, createSandbox } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { openText, type SearchText } from "../src/text/search-text.ts";
import { createPage } from "../src/page.ts";

const LINE = "one\n";

/** A text that changes after it was asked so many times whether it did. */
async function changingText(unchangedFor: number): Promise<SearchText> {
  const { root } = fixture({ a: LINE.repeat(10) });
  const sandbox = createSandbox({ projectRoot: root });
  const text = openText(sandbox, await sandbox.resolve("a"), { unifyLineEnds: true });
  let asked = 0;
  return {
    ...text,
    isUnchanged: () => {
      asked += 1;
      return asked <= unchangedFor;
    },
  };
}

async function fill(text: SearchText) {
  const params = { output_mode: "content", limit: 3, offset: 0, context: 0 } as const;
  const page = createPage({ params, maxLineChars: 300, countsLines: false, pacer: createPacer() });
  const hits = Array.from({ length: 10 }, (_, index) => {
    const start = index * Buffer.byteLength(LINE);
    return { line: index + 1, lineStart: start, start };
  });
  await page.add(text, hits);
  page.finish();
  text.close();
  const { matches, truncated } = page.found();
  return { lines: matches.map(({ line }) => line), truncated };
}

describe("a page", () => {
  it("that is full keeps what it shows, whatever happens to the file then", async () => {
    expect(await fill(await changingText(1))).toEqual({ lines: [1, 2, 3], truncated: true });
  });

  it("takes back what it shows of a file that changed before", async () => {
    expect(await fill(await changingText(0))).toEqual({ lines: [], truncated: false });
  });
});
