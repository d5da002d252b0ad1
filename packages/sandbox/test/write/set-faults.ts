// Makes a set of changes again and again, each time with another disk call that fails, and prints what was left.
// set-faults.ts <empty directory>
import { failDiskCalls } from "@fstools/testing/disk-calls";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { treeOf } from "./tree-of.ts";

const [folder = ""] = process.argv.slice(2);
const faults = failDiskCalls();

// Only now, since they take these functions by name when they are loaded.
const { createSandbox } = await import("../../src/sandbox.ts");
const { createChanger } = await import("../../src/write/changer.ts");

const call = { signal: new AbortController().signal, has: () => true, note: () => undefined, tell: () => undefined };
const paths = ["a.txt", "new/dir/b.txt", "c.txt", "d.txt", "moved/d.txt", "e.txt", "dir/e.txt"];
const results: { readonly failed: string; readonly error: string; readonly tree: string }[] = [];

for (let at = 1; ; at += 1) {
  const root = `${folder}/${at}`;
  mkdirSync(`${root}/dir`, { recursive: true });
  for (const name of ["a", "c", "d", "e"]) writeFileSync(`${root}/${name}.txt`, `old ${name}`);
  const change = createChanger(createSandbox({ projectRoot: root }), { durable: true });
  let error = "";
  faults.failAt(at);
  try {
    await change(
      {
        tool: "Faults",
        targets: paths.map((path) => ({ path, creates: true })),
        plan: (shown) => {
          const [a, b, c, d, movedD, e, movedE] = shown.map((current) => {
            if ("error" in current) throw current.error;
            return current;
          });
          if (!a || !b || !c || !d || !movedD || !e || !movedE) throw new Error("Nothing is shown.");
          return Promise.resolve({
            operation: "patch" as const,
            diff: () => Promise.resolve(""),
            changes: [
              { operation: "update" as const, file: a, bytes: Buffer.from("new a") },
              { operation: "create" as const, file: b, bytes: Buffer.from("new b") },
              { operation: "delete" as const, file: c },
              { operation: "move" as const, from: d, file: movedD },
              { operation: "move" as const, from: e, file: movedE, bytes: Buffer.from("new e") },
            ],
          });
        },
      },
      call,
    );
  } catch (reason) {
    error = String(reason);
  }
  const failed = faults.stop();
  results.push({ failed, error, tree: JSON.stringify(treeOf(root)) });
  rmSync(root, { recursive: true });
  if (failed === "") break;
}
process.stdout.write(JSON.stringify(results));
