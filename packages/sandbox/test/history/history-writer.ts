// Changes 20 files of a project, all alike, undoes some of that, and removes and restores a directory, until it is killed.
// history-writer.ts <project> <history> <prefix of the names>
import { createHistory } from "../../src/history/history.ts";
import { createSandbox } from "../../src/sandbox.ts";
import { changeAll } from "../write/change-all.ts";
import { changeEntry } from "./change-entry.ts";

const [projectRoot = "", directory = "", prefix = ""] = process.argv.slice(2);
const history = createHistory({ directory });
const sandbox = createSandbox({ projectRoot });
const names = Array.from({ length: 20 }, (_, index) => `${prefix}${index}.txt`);
const undo = async () => {
  const [change] = await history.changes({ path: names[0] ?? "" });
  const { error } = await history.undo(change?.id ?? "");
  if (error !== undefined) throw new Error(error.message);
};

await history.take(sandbox).ready();
process.stdout.write("ready\n");
for (let version = 1; ; version += 1) {
  const wishes = names.map((path) => ({ path, text: String(version).repeat(version % 3 === 0 ? 1 : 5000) }));
  await changeAll(sandbox, wishes, { history });
  if (version % 2 === 0) await undo();
  try {
    await changeEntry(sandbox, { operation: "delete", path: `${prefix}dir` }, { history });
  } catch {
    // The process before was killed when it had just removed it.
    continue;
  }
  const [change] = await history.changes({ path: `${prefix}dir` });
  await history.undo(change?.id ?? "");
}
