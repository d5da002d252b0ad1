// Applies a patch again and again, each time with another disk call that fails, and prints what was left.
// faults.ts <empty directory>
import { failDiskCalls } from "@fstools/testing/disk-calls";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { filesIn } from "./files-in.ts";

const [folder = ""] = process.argv.slice(2);
const faults = failDiskCalls();

// Only now, since it takes these functions by name when it is loaded.
const { createPatchTool } = await import("../src/tool.ts");

const patch = `*** Begin Patch
*** Update File: a
-old a
+new a
*** Add File: new/dir/b
+new b
*** Delete File: c
*** Update File: dir/d
*** Move to: moved/d
-old d
+new d
*** Update File: e
*** Move to: moved/e
`;
const results: { readonly failed: string; readonly status: string; readonly code: string; readonly files: string }[] =
  [];
for (let at = 1; ; at += 1) {
  const root = `${folder}/${at}`;
  mkdirSync(`${root}/dir`, { recursive: true });
  for (const name of ["a", "c", "dir/d", "e"]) writeFileSync(`${root}/${name}`, `old ${name.slice(-1)}\n`);
  const tool = createPatchTool({ projectRoot: root });
  faults.failAt(at);
  const { status, error } = await tool.run({ patch });
  const failed = faults.stop();
  results.push({ failed, status, code: error?.code ?? "", files: JSON.stringify(filesIn(root)) });
  rmSync(root, { recursive: true });
  if (failed === "") break;
}
process.stdout.write(JSON.stringify(results));
