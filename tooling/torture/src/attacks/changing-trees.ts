import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack } from "../attack.ts";
import { withChild } from "../child.ts";
import { examine } from "../examine.ts";
import { dataOf, filesIn, matchesIn, stringsIn, type Answer } from "../response.ts";
import { createVictims, victimNamed, type Victim } from "../tools.ts";

const DIRECTORIES = 10;

/** A tree that another process keeps changing: what stays is always found, what comes and goes breaks nothing. */
export const changingTrees: Attack = {
  name: "changing trees",
  what: "directories and files made, moved, grown and removed while Glob, Grep, LS and Read walk over them",
  minimum: { full: 3000, short: 30 },
  run: async (arena) => {
    const root = join(arena.folder, "project");
    for (let index = 0; index < DIRECTORIES; index++) {
      mkdirSync(join(root, `keep-${index}`, "kept"), { recursive: true });
      writeFileSync(join(root, `keep-${index}`, "kept", "kept.txt"), "kept\n");
    }
    writeFileSync(join(root, "churn.log"), "line\n");
    await withChild("./churner.js", [root], () => watch(arena, root));
  },
};

async function watch({ random, tally, goOn }: Arena, root: string): Promise<void> {
  const victims = createVictims({ projectRoot: root }, (error) => {
    tally.violation(`internal error: ${String(error)}`);
  });
  const checks = [globFindsWhatStays, grepFindsWhatStays, lsSeesWhatStays, logHoldsWholeLines, grepShowsWholeLines];
  const runner = async () => {
    while (goOn())
      await random.pick(checks)(victims, (victim, params) => examine(tally, victim, params), tally.violation);
  };
  await Promise.all(Array.from({ length: 4 }, runner));
}

type Check = (
  victims: readonly Victim[],
  call: (victim: Victim, params: object) => Promise<Answer | undefined>,
  complain: (what: string) => void,
) => Promise<void>;

const expectedPaths = Array.from({ length: DIRECTORIES }, (_, index) => `keep-${index}/kept/kept.txt`);

const globFindsWhatStays: Check = async (victims, call, complain) => {
  const response = await call(victimNamed(victims, "Glob"), { pattern: "**/kept.txt" });
  const found = stringsIn(response, "paths");
  if (response?.status !== "success") complain(`Glob stumbled over what went away: ${response?.text ?? ""}`);
  if (found.join() !== expectedPaths.join()) complain(`Glob lost what was there all the time: ${found.join()}`);
};

const GREPS = ["Grep", "Grep in JavaScript"];

const grepFindsWhatStays: Check = async (victims, call, complain) => {
  for (const name of GREPS) {
    const response = await call(victimNamed(victims, name), { pattern: "^kept$", output_mode: "files" });
    const found = filesIn(response);
    if (response?.status !== "success") complain(`${name} stumbled over what went away: ${response?.text ?? ""}`);
    if (found.join() !== expectedPaths.join()) complain(`${name} lost what was there all the time: ${found.join()}`);
  }
};

const grepShowsWholeLines: Check = async (victims, call, complain) => {
  for (const name of GREPS) {
    const response = await call(victimNamed(victims, name), { pattern: "i", path: "churn.log", limit: 200 });
    const odd = matchesIn(response).find(({ text }) => text !== "line");
    if (odd !== undefined) complain(`${name} made up a line: '${odd.text}'`);
  }
};

const lsSeesWhatStays: Check = async (victims, call, complain) => {
  const response = await call(victimNamed(victims, "LS"), { path: "keep-3" });
  if (response?.status !== "success" || !response.text.includes("keep-3/kept/")) {
    complain(`LS lost what was there all the time: ${response?.text ?? ""}`);
  }
};

const logHoldsWholeLines: Check = async (victims, call, complain) => {
  const response = await call(victimNamed(victims, "Read"), { path: "churn.log" });
  const content = dataOf(response, "content");
  if (typeof content !== "string") return;
  const odd = content.split("\n").find((line) => line !== "" && !/^ *\d+ \| (?:line)?$/u.test(line));
  if (odd !== undefined) complain(`Read made up a line: '${odd}'`);
};
