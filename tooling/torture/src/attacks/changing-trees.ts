import type { Attack } from "../attack.ts";
import { beside, scriptPath } from "../processes.ts";
import { lay } from "../project.ts";
import { dataOf, filesIn, itemsIn, stringsIn, type Answer } from "../examine.ts";

const KEPT = Array.from({ length: 10 }, (_, index) => `keep-${index}/kept/kept.txt`);
const GREPS = ["Grep", "Grep in JavaScript"];

export const changingTrees: Attack = {
  name: "changing trees",
  what: "makes, moves, grows and removes files and directories while the tools walk over them",
  minimum: { full: 3000, short: 30 },
  run: async ({ random, root, tally, tools, repeat }) => {
    lay(root, KEPT, "kept\n");
    lay(root, ["churn.log"], "line\n");
    const { call } = tools();
    const finds = async (tool: string, params: object, found: (answer?: Answer) => string[]) => {
      const answer = await call(tool, params);
      if (answer?.status !== "success") tally.violation(`${tool} stumbled over what went away: ${answer?.text ?? ""}`);
      const paths = found(answer).join();
      if (paths !== KEPT.join()) tally.violation(`${tool} lost what was there all the time: ${paths}`);
    };
    const wholeLines = (tool: string, lines: readonly string[], expected: RegExp) => {
      const odd = lines.find((line) => !expected.test(line));
      if (odd !== undefined) tally.violation(`${tool} made up a line: '${odd}'`);
    };
    const checks = [
      () => finds("Glob", { pattern: "**/kept.txt" }, (answer) => stringsIn(answer, "paths")),
      ...GREPS.map((tool) => () => finds(tool, { pattern: "^kept$", output_mode: "files" }, filesIn)),
      ...GREPS.map((tool) => async () => {
        const matches = itemsIn(await call(tool, { pattern: "i", path: "churn.log", limit: 200 }), "matches");
        const lines = matches.map(({ text = "" }) => text);
        wholeLines(tool, lines, /^line$/u);
      }),
      async () => {
        const answer = await call("LS", { path: "keep-3" });
        if (answer?.status !== "success" || !answer.text.includes("keep-3/kept/")) {
          tally.violation(`LS lost what was there all the time: ${answer?.text ?? ""}`);
        }
      },
      async () => {
        const content = dataOf(await call("Read", { path: "churn.log" }), "content");
        if (typeof content === "string") wholeLines("Read", content.split("\n"), /^(?: *\d+ \| (?:line)?)?$/u);
      },
    ];
    await beside(process.execPath, [scriptPath("./churner.js"), root], () => repeat(4, () => random.pick(checks)()));
  },
};
