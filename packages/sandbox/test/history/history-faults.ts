// Makes a set of changes with a history, or undoes it, again and again, each time with another disk call that fails, and
// prints what was left.
// history-faults.ts <empty directory> <set | undo>
import { failDiskCalls } from "@fstools/testing/disk-calls";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { treeOf } from "../write/tree-of.ts";

const [folder = "", what = ""] = process.argv.slice(2);
const faults = failDiskCalls();

// Only now, since they take these functions by name when they are loaded.
const { createSandbox } = await import("../../src/sandbox.ts");
const { createHistory } = await import("../../src/history/history.ts");
const { changeAll } = await import("../write/change-all.ts");
const { changeEntry } = await import("./change-entry.ts");

const results: { failed: string; error: string; tree: string; recovered: string; changes: number; left: number }[] = [];

for (let at = 1; ; at += what === "undo" ? 4 : 1) {
  const [root, directory] = [`${folder}/${at}/project`, `${folder}/${at}/history`];
  mkdirSync(`${root}/dir/in`, { recursive: true });
  symlinkSync("../a.txt", `${root}/dir/in/link`);
  for (const name of ["a.txt", "b.txt", "c.txt", "dir/d.txt"]) writeFileSync(`${root}/${name}`, `old ${name}`);
  const options = () => ({ history: createHistory({ directory }), durable: what === "set" });
  const sandbox = createSandbox({ projectRoot: root });
  const set = async () => {
    await changeAll(
      sandbox,
      [
        { path: "a.txt", text: "new a" },
        { path: "new/b.txt", text: "new b" },
        { path: "b.txt" },
        { path: "c.txt", to: "moved/c.txt" },
      ],
      options(),
    );
  };
  const undo = async () => {
    const { history } = options();
    history.take(sandbox);
    const changes = await history.changes();
    const { error } = await history.undo({ since: changes.at(-1)?.id ?? "" });
    if (error !== undefined) throw new Error(error.message);
  };
  if (what === "undo") {
    await set();
    await changeEntry(sandbox, { operation: "delete", path: "dir" }, options());
  }
  let error = "";
  faults.failAt(at);
  try {
    if (what === "undo") await undo();
    else if (what === "set") await set();
    else await changeEntry(sandbox, { operation: "delete", path: "dir" }, options());
  } catch (reason) {
    error = String(reason);
  }
  const failed = faults.stop();
  const tree = JSON.stringify(treeOf(root));
  const { history } = options();
  await history.take(sandbox).ready();
  const [changes, left] = [(await history.changes()).length, history.unfinished.length];
  results.push({ failed, error, tree, recovered: JSON.stringify(treeOf(root)), changes, left });
  rmSync(`${folder}/${at}`, { recursive: true });
  if (failed === "") break;
}
process.stdout.write(JSON.stringify(results));
