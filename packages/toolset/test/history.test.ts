import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createHistory } from "@fstools/sandbox";
import { conformant, fixture, nodeArguments } from "@fstools/testing";
import { expect, it } from "vitest";
import { createToolset } from "../src/toolset.ts";

const TREE = { project: { "a.txt": "one\ntwo\n", "b.txt": "b\n", dir: { "c.txt": "c\n" } } };

it("keeps what every tool changes, and only if the user approves it", async () => {
  const { path } = fixture(TREE);
  const history = createHistory({ directory: path("history") });
  const { tool } = createToolset({
    projectRoot: path("project"),
    tools: ["Read", "Edit", "Write", "Patch", "Move", "Delete"],
    history,
    confirm: (change) => change.path !== "b.txt",
  });
  const calls = [
    () => tool("Edit").call({ path: "a.txt", old_string: "one", new_string: "1" }),
    () => tool("Write").call({ path: "new/d.txt", content: "d\n" }),
    () => tool("Patch").call({ patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n" }),
    () => tool("Delete").call({ path: "b.txt" }),
    () => tool("Move").call({ from: "dir", to: "moved" }),
    () => tool("Delete").call({ path: "new", recursive: true }),
  ];
  for (const call of calls) conformant(await call());
  const changes = await history.changes();
  expect(changes.map(({ tool: name }) => name)).toEqual(["Delete", "Move", "Patch", "Write", "Edit"]);
  const undone = conformant(await history.undo({ since: changes.at(-1)?.id ?? "" }), "edit");
  expect(undone).toMatchObject({ status: "success", data: { operation: "undo" } });
  expect(readFileSync(path("project/a.txt"), "utf8")).toBe("one\ntwo\n");
  expect(readdirSync(path("project"), { recursive: true }).sort()).toEqual(["a.txt", "b.txt", "dir", "dir/c.txt"]);
  // The model does not know of it.
  const stale = await tool("Edit").call({ path: "a.txt", old_string: "three", new_string: "3" });
  expect(conformant(stale)).toMatchObject({ error: { code: "CONFLICT" } });
});

it("puts back what a killed process left before the first call, of a tool that only looks too", async () => {
  const { path } = fixture(TREE);
  const script = fileURLToPath(new URL("dying-writer.ts", import.meta.url));
  const { signal } = spawnSync(process.execPath, [...nodeArguments(script), path("project"), path("history")]);
  expect(signal).toBe("SIGKILL");
  expect(readdirSync(path("project")).join()).toMatch(/\.fstools-/u);
  const history = createHistory({ directory: path("history") });
  expect(history.unfinished).toMatchObject([
    { tool: "Edit", files: [{ path: path("project/a.txt"), operation: "update" }] },
  ]);
  const { tool } = createToolset({ projectRoot: path("project"), tools: ["LS"], history });
  const { data } = conformant(await tool("LS").call({ include_hidden: true }), "ls");
  expect(data).toMatchObject({ entries: [{ path: "dir" }, { path: "a.txt" }, { path: "b.txt" }] });
  expect(history.unfinished).toEqual([]);
  expect(readFileSync(path("project/a.txt"), "utf8")).toBe("one\ntwo\n");
});
