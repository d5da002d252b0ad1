import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { CANARY } from "../examine.ts";
import { beside, scriptPath } from "../processes.ts";
import { lay } from "../project.ts";

const OUTSIDE = ["a.txt", "middle/a.txt", "secret.txt"];

export const swaps: Attack = {
  name: "swaps",
  what: "swaps files and directories for links to outside while Edit, Write and Patch use them",
  minimum: { full: 4000, short: 40 },
  mustSee: ["written", "refused"],
  run: async ({ random, folder, root, tally, tools, repeat }) => {
    const outside = join(folder, "project-evil");
    const known = ["victim.txt", "victim/a.txt", "nest/middle/a.txt"];
    lay(root, known, "inside\n");
    lay(outside, OUTSIDE, `${CANARY}\n`);
    const { call } = tools({ requireRead: false });
    const write = async (turn: number) => {
      const path = random.pick([...known, `victim/${turn}`, `victim/${turn}/x`]);
      const other = random.pick(known.filter((name) => name !== path));
      const patch = [
        `*** Add File: victim/${turn}/y\n+new`,
        ...(known.includes(path) ? [`*** Update File: ${path}\n-inside\n+inside, patched`] : []),
        random.chance(0.5) ? `*** Delete File: ${other}` : `*** Update File: ${other}\n*** Move to: victim/${turn}/z`,
      ].join("\n");
      const calls = [
        ["Write", { path, content: `written ${turn}\n` }],
        ["Edit", { path, old_string: "inside", new_string: "inside, edited" }],
        ["Patch", { patch }],
      ] as const;
      const [tool, params] = random.pick(calls);
      const answer = await call(tool, params);
      tally.saw(answer?.status === "error" ? "refused" : "written");
      for (const problem of harm(outside)) tally.violation(`${problem} outside by a write of '${path}'`);
    };
    const swapper = [scriptPath("./swapper.js"), root, outside, "tolerant"];
    await beside(process.execPath, swapper, () => repeat(1, write));
  },
};

function harm(outside: string): string[] {
  const lost = OUTSIDE.filter((name) => !existsSync(join(outside, name)));
  if (lost.length > 0) return lost.map((name) => `${name} was removed`);
  const names = readdirSync(outside, { recursive: true }).map(String);
  const created = names.filter((name) => ![...OUTSIDE, "middle"].includes(name));
  const changed = OUTSIDE.filter((name) => readFileSync(join(outside, name), "utf8") !== `${CANARY}\n`);
  return [...created.map((name) => `${name} was created`), ...changed.map((name) => `${name} was changed`)];
}
