import { readFileSync, statSync, writeFileSync } from "node:fs";
import { renderForModel } from "@fstools/protocol";
import type { AfterChange, MadeChange } from "@fstools/sandbox";
import { conformant, fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createToolset } from "../src/toolset.ts";

const NAMES = ["Read", "Edit", "Write"] as const;

// Rule: After every change of Edit and Write the host can format or check it, and the model's next change fits what is there then.
describe("afterChange", () => {
  it("formats what Edit and Write changed; they report the file as it is then", async () => {
    const { root, path } = fixture({ "a.txt": "one\ntwo\n" });
    const made: MadeChange[] = [];
    const afterChange: AfterChange = (change) => {
      made.push(change);
      for (const { path: name } of change.files) {
        writeFileSync(path(name), readFileSync(path(name), "utf8").replaceAll(/ +$/gmu, ""));
      }
      return { notes: ["formatted"] };
    };
    const { tool } = createToolset({ projectRoot: root, tools: NAMES, afterChange });
    const edit = conformant(
      await tool("Edit").call({ path: "a.txt", old_string: "two", new_string: "2  \n3" }),
      "edit",
    );
    const write = conformant(await tool("Write").call({ path: "b.txt", content: "b   \n" }));
    expect(made).toMatchObject([
      { tool: "Edit", files: [{ path: "a.txt", operation: "update", lines_added: 2, lines_removed: 1 }] },
      { tool: "Write", files: [{ path: "b.txt", operation: "create", lines_added: 1, lines_removed: 0 }] },
    ]);
    expect(made[0]?.diff).toContain("+2  \n+3\n");
    expect(renderForModel(edit)).toMatchInlineSnapshot(`
      "Edited 'a.txt': 1 replacement (lines 2-3).
      Note: 'a.txt' was changed again after the edit (line 2).
         2 | 2
      Note: formatted"
    `);
    expect(renderForModel(write)).toMatchInlineSnapshot(`
      "Created 'b.txt' (1 lines, 5 bytes).
      Note: 'b.txt' was changed again after the edit (line 1).
         1 | b
      Note: formatted"
    `);
    for (const [name, { stats }] of Object.entries({ "a.txt": edit, "b.txt": write })) {
      const { size, mtimeMs } = statSync(path(name));
      expect(stats).toMatchObject({ file_size_bytes: size, file_mtime_ms: Math.floor(mtimeMs) });
    }
    expect(write.stats).toMatchObject({ new_size: 2 });
    // Neither has to read the file first.
    const again = await tool("Write").call({ path: "b.txt", content: "c\n" });
    expect(again).toMatchObject({ status: "success", data: { applied: true } });
  });

  it("is not asked where nothing was written", async () => {
    const { root } = fixture({ "a.txt": "one\n" });
    const afterChange = () => expect.unreachable();
    const { tool } = createToolset({ projectRoot: root, tools: NAMES, afterChange, write: { requireRead: false } });
    await tool("Edit").call({ path: "a.txt", old_string: "one", new_string: "1", dry_run: true });
    await tool("Edit").call({ path: "a.txt", old_string: "two", new_string: "2" });
    const same = await tool("Write").call({ path: "a.txt", content: "one\n" });
    expect(same.text).not.toContain("The check");
  });
});
