import { chmodSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { conformant, fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createHistory } from "../../src/history/history.ts";
import { createSandbox } from "../../src/sandbox.ts";
import { changeAll } from "../write/change-all.ts";
import { treeOf } from "../write/tree-of.ts";

const FILES = { project: { "a.txt": "old a", "b.txt": "old b", dir: { "c.txt": "old c" } }, history: {} };

describe("a history", () => {
  it("lists changes, and undoes them", async () => {
    const { path } = fixture(FILES);
    chmodSync(path("project/b.txt"), 0o751);
    const before = treeOf(path("project"));
    const history = createHistory({ directory: path("history") });
    const sandbox = createSandbox({ projectRoot: path("project") });
    await changeAll(
      sandbox,
      [
        { path: "a.txt", text: "new a" },
        { path: "b.txt" },
        { path: "x/y/new.txt", text: "new" },
        { path: "dir/c.txt", to: "moved.txt" },
      ],
      { history },
    );
    const after = treeOf(path("project"));
    const [change] = await history.changes();
    expect(change).toMatchObject({
      tool: "Set",
      files: [
        { path: "a.txt", operation: "update" },
        { path: "b.txt", operation: "delete" },
        { path: "x/y/new.txt", operation: "create" },
        { path: "moved.txt", operation: "move", from: "dir/c.txt" },
      ],
    });
    const undone = conformant(await history.undo(change?.id ?? ""));
    expect(undone.text).toBe("");
    expect(treeOf(path("project"))).toEqual(before);
    const [undo] = await history.changes();
    await history.undo(undo?.id ?? "");
    expect(treeOf(path("project"))).toEqual(after);
    expect(await history.unfinished()).toEqual([]);
  });
});
