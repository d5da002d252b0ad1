import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { CANARY } from "../examine.ts";
import { beside, scriptPath } from "../processes.ts";
import { lay } from "../project.ts";

const CALLS: readonly (readonly [tool: string, params: object, mostVisited?: number])[] = [
  ["Read", { path: "victim.txt" }],
  ["Read", { path: "victim/a.txt" }],
  ["Read", { path: "nest/middle/bottom/a.txt" }],
  ["read 1.2", { filePath: "victim.txt" }],
  ["read 1.2", { filePath: "victim" }],
  ["read 1.18", { filePath: "nest/middle/bottom" }],
  ["LS", { path: "victim" }],
  ["LS", { path: "nest/middle/bottom" }],
  // The root, the directory and its two files; outside there are four.
  ["Glob", { pattern: "victim/*" }, 4],
  // A path without wildcards is looked up; it is there only outside.
  ["Glob", { pattern: "victim/secret.txt" }, 2],
  ["Glob", { pattern: "**/*.txt" }],
  ["Glob", { pattern: "**/*", path: "nest" }],
  ["Glob", { pattern: "*", path: "nest/middle/bottom" }],
  ["Grep", { pattern: ".", context: 1 }],
  ["Grep", { pattern: ".", path: "victim.txt" }],
  ["Grep", { pattern: ".", path: "nest", output_mode: "count" }],
  ["Grep", { pattern: ".", path: "victim", multiline: true, sort: "modified" }],
  ["Grep in JavaScript", { pattern: ".", context: 1 }],
  ["Grep in JavaScript", { pattern: ".", path: "nest/middle/bottom", output_mode: "files" }],
];

export const races: Attack = {
  name: "races",
  what: "swaps files and directories for links to outside while Read, LS, Glob and Grep use them",
  minimum: { full: 20_000, short: 200 },
  mustSee: ["answered", "refused"],
  run: async ({ random, folder, root, tally, tools, repeat }) => {
    const { call } = tools();
    const ask = async () => {
      const [tool, params, mostVisited = Infinity] = random.pick(CALLS);
      const answer = await call(tool, params, { hiddenRoot: root });
      if (Number(answer?.stats.visited ?? 0) > mostVisited) tally.violation(`${tool} counted what is outside`);
      tally.saw(answer?.status === "error" ? "refused" : "answered");
    };
    const outside = layTrack(folder, root);
    await beside(process.execPath, [scriptPath("./swapper.js"), root, outside], () => repeat(8, ask));
  },
};

function layTrack(folder: string, root: string): string {
  // Its name begins like the root: a comparison of prefixes would take it for a part of it.
  const outside = join(folder, "project-evil");
  for (const directory of ["victim", "nest/middle/bottom"]) {
    lay(join(root, directory), ["a.txt", "b.txt"], "inside\n");
    // The same names as inside, and names of its own: neither content nor names may come back.
    const place = directory.replace(/^(?:victim|nest\/)/u, "");
    lay(join(outside, place), ["a.txt", "b.txt", "secret.txt", `${CANARY}.txt`], `${CANARY}\n`);
  }
  const calm = Array.from({ length: 20 }, (_, index) => `calm-${index}/calm.txt`);
  lay(root, [...calm, "victim.txt"], "inside\n");
  return outside;
}
