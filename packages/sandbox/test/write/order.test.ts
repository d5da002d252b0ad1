import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fixture, nodeArguments } from "@fstools/testing";
import { expect, it } from "vitest";

const WRITER = fileURLToPath(new URL("order-writer.ts", import.meta.url));

it.runIf(process.platform === "linux")(
  "flushes a file before it gets its name, then its directory, and the directories that were made for it",
  { timeout: 60_000 },
  async () => {
    const { root } = fixture({ dir: { "a.txt": "old" } });
    const args = [...nodeArguments(WRITER), root, "dir/a.txt", "x/y/b.txt"];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual([
      "flush dir/temporary",
      "rename",
      "flush dir",
      "flush x/y/temporary",
      "link",
      "flush x/y",
      "flush .",
      "flush x",
    ]);
  },
);
