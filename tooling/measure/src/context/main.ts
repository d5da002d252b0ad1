import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine } from "../report/machine.ts";
import { fillSections } from "../report/document.ts";
import { RIVALS } from "../rivals/list.ts";
import { PROJECT } from "./fixtures.ts";
import { install } from "../rivals/install.ts";
import { chart, sections } from "./report.ts";
import { compared, prepare, type Measured } from "./measure.ts";
import { BARE, type Results, type ToolsetResult } from "./score.ts";

const USAGE = `pnpm bench:context [--docs] [--only ID]…
  --docs   writes docs/context-economy.md, its chart and its figures, and the headline of README.md
  --only   only these rivals (${RIVALS.map(({ id }) => id).join(", ")}); not with --docs
  --help   this text`;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const progress = (message: string) => process.stderr.write(`${message}\n`);

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
  progress("writing the projects");
  const measure = prepare();
  const ours = await measure("fstools");
  const toolsets = [result({ id: "fstools", title: "fstools", version: "" }, ours, ours)];
  const absent: { title: string; version: string; reason: string }[] = [];
  for (const rival of RIVALS.filter(({ id }) => values.only?.includes(id) ?? true)) {
    const start = performance.now();
    try {
      await install(rival);
      toolsets.push(result(rival, await measure(rival.id), ours));
    } catch (error) {
      // A set that breaks is left out, with the reason.
      const reason = error instanceof Error ? error.message : String(error);
      absent.push({ title: rival.title, version: rival.version, reason });
    }
    progress(`${rival.title}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  // Beside the others, since hosts can have it.
  const bare = { id: BARE, title: "fstools, lines without numbers", version: "" };
  toolsets.push(result(bare, await measure(BARE), ours));
  rmSync(dirname(PROJECT), { recursive: true, force: true });
  report({ machine: describeMachine("full"), toolsets, absent }, values.docs === true);
}

type Contender = Pick<ToolsetResult, "id" | "title" | "version">;

function result({ id, title, version }: Contender, { shown, ...found }: Measured, ours: Measured): ToolsetResult {
  const requests = shown.map((one, index) => compared(one, ours.shown[index]));
  return { id, title, version, ...found, requests };
}

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
