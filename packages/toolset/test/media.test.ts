import { fixture } from "@fstools/testing";
import { expect, it } from "vitest";
import { createToolset } from "../src/index.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
// Without a NUL, as many are.
const PDF = `%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >> endobj
trailer << /Root 1 0 R >>
`;

// Rule: Edit and Write take a picture and a PDF for binary, whatever Read has shown of it.
it("shows media where Read may, and changes none of it", async () => {
  const { root } = fixture({ "a.png": Buffer.from(PIXEL, "base64"), "a.pdf": PDF });
  const { tool } = createToolset({
    projectRoot: root,
    tools: ["Read", "Edit", "Write"],
    read: { media: ["image", "pdf"] },
  });
  expect(await tool("Read").run({ path: "a.pdf" })).toMatchObject({
    data: { content: "   1 | --- Page 1 of 1 ---\n   2 | (no text on this page)\n" },
  });
  expect(await tool("Read").run({ path: "a.png" })).toMatchObject({ data: { media: { data: PIXEL } } });
  for (const path of ["a.png", "a.pdf"]) {
    const edit = await tool("Edit").run({ path, old_string: "PDF", new_string: "TXT" });
    expect(edit).toMatchObject({ error: { code: "BINARY_FILE" } });
    const write = await tool("Write").run({ path, content: "text" });
    expect(write).toMatchObject({ error: { code: "CONFLICT", message: `'${path}' exists and was not read.` } });
  }
});
