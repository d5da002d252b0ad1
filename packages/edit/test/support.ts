import { readFileSync, writeFileSync } from "node:fs";
import { conformant, fixture } from "@fstools/testing";
import { createEditTool, type EditToolOptions } from "../src/index.ts";

/** Edits a file of this content with a tool of its own; tells the answer and what is in the file afterwards. */
export async function edited(
  content: string | Uint8Array,
  params: object,
  options: Partial<Omit<EditToolOptions, "sandbox">> = {},
) {
  const { root, path } = fixture({});
  writeFileSync(path("a.txt"), content);
  const tool = createEditTool({ projectRoot: root, durable: false, ...options });
  const response = conformant(await tool.run({ path: "a.txt", ...params }), "edit");
  const bytes = readFileSync(path("a.txt"));
  return { response, bytes, text: bytes.toString("utf8") };
}
