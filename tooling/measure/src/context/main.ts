import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine } from "../report/machine.ts";
import { fillSections } from "../report/document.ts";
import { RIVALS } from "../rivals/list.ts";
import { PROJECT, shopFiles, writeFiles } from "./fixtures.ts";
import { install } from "../rivals/install.ts";
import { compared, measureRequests, measureTasks, writeShop, type Shown } from "./measure.ts";
import { chart } from "./chart.ts";
import { sections } from "./report.ts";
import { requestFiles } from "./requests.ts";
import type { Results, ToolsetResult } from "./results.ts";
import type { Outcome } from "./run-task.ts";

const USAGE = `pnpm bench:context [--docs] [--only ID]…
  --docs   writes docs/context-economy.md, its chart and its figures, and the headline of README.md
  --only   only these rivals (${RIVALS.map(({ id }) => id).join(", ")}); not with --docs
  --help   this text`;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const progress = (message: string) => process.stderr.write(`${message}\n`);

interface Contender {
  readonly id: string;
  readonly title: string;
  readonly version: string;
}

interface Measured {
  tools: string[];
  definitionTokens: number;
  shown: Shown[];
  outcomes: Outcome[];
}

async function main(): Promise<void> {
  const options = {
    docs: { type: "boolean" },
    only: { type: "string", multiple: true },
    help: { type: "boolean" },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help === true || (values.docs === true && values.only !== undefined)) {
    console.log(USAGE);
    return;
  }
  const rivals = RIVALS.filter(({ id }) => values.only?.includes(id) ?? true);
  const absent: { title: string; version: string; reason: string }[] = [];
  const contenders: Contender[] = [{ id: "fstools", title: "fstools", version: "" }];
  for (const rival of rivals) {
    const reason = await install(rival);
    if (reason === undefined) contenders.push(rival);
    else absent.push({ title: rival.title, version: rival.version, reason });
  }
  const measured = await measureAll(contenders, absent);
  const ours = measured.get("fstools");
  const toolsets = contenders.flatMap(({ id, title, version }): ToolsetResult[] => {
    const found = measured.get(id);
    if (found === undefined) return [];
    const { tools, definitionTokens, shown, outcomes } = found;
    const requests = shown.map((one, index) => compared(one, ours?.shown[index]));
    return [{ id, title, version, tools, definitionTokens, requests, outcomes }];
  });
  report({ machine: describeMachine("full"), toolsets, absent }, values.docs === true);
}

/** All requests first, then all tasks, so that each project is written once. A set that breaks is left out, with the reason. */
async function measureAll(
  contenders: readonly Contender[],
  absent: { title: string; version: string; reason: string }[],
): Promise<ReadonlyMap<string, Measured>> {
  const measured = new Map<string, Measured>();
  const attempt = async ({ id, title, version }: Contender, work: () => Promise<void>) => {
    const start = performance.now();
    try {
      await work();
    } catch (error) {
      measured.delete(id);
      absent.push({ title, version, reason: error instanceof Error ? error.message : String(error) });
    }
    progress(`  ${title}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  progress("writing the files of the requests");
  const forRequests = requestFiles();
  writeFiles(PROJECT, forRequests);
  progress("requests");
  for (const contender of contenders) {
    await attempt(contender, async () => {
      const found = await measureRequests(contender.id, forRequests);
      measured.set(contender.id, { ...found, outcomes: [] });
    });
  }
  progress("writing the project of the tasks");
  const shop = shopFiles();
  writeShop(shop);
  progress("tasks");
  for (const contender of contenders) {
    const found = measured.get(contender.id);
    if (found === undefined) continue;
    await attempt(contender, async () => {
      found.outcomes = await measureTasks(contender.id, shop);
    });
  }
  rmSync(dirname(PROJECT), { recursive: true, force: true });
  return measured;
}

/** Prints the tables, and writes them into the documents if asked to. */
function report(results: Results, isForDocs: boolean): void {
  const parts = sections(results);
  console.log(Object.values(parts).join("\n\n"));
  const folder = isForDocs ? here("../../../../docs/context-economy/") : here("../../.cache/context/");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}results.json`, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(`${folder}tasks.svg`, chart(results));
  if (isForDocs) {
    for (const path of ["../../../../README.md", "../../../../docs/context-economy.md"].map(here)) {
      writeFileSync(path, fillSections(readFileSync(path, "utf8"), parts, "context"));
    }
  }
  console.log(`\nWritten to ${folder}`);
}

await main();
// A rival may leave a process or a timer behind.
process.exit();
