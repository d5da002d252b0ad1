// Writes a file with a history, and is killed when the file is about to get its new content.
// dying-writer.ts <project> <history>
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [projectRoot = "", directory = ""] = process.argv.slice(2);
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (String(to).endsWith("/a.txt")) process.kill(process.pid, "SIGKILL");
  renameSync(from, to);
};
syncBuiltinESMExports();

// Only now, since it takes the function by name when it is loaded.
const { createHistory } = await import("@fstools/sandbox");
const { createToolset } = await import("../src/toolset.ts");

const { tool } = createToolset({ projectRoot, tools: ["Edit"], history: createHistory({ directory }) });
await tool("Edit").run({ path: "a.txt", old_string: "one", new_string: "1" });
