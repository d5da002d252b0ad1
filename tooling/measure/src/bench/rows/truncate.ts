import { createTruncator, type ToolResponse } from "@fstools/protocol";
import { createOutputStore, createSandbox } from "@fstools/sandbox";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES, MIB } from "../fixtures.ts";
import { contender, plain, row, within, type Row } from "../row.ts";

const STRINGIFY = "JSON.stringify";

function response(data: object): ToolResponse {
  const context = { cwd: ".", params_input: { pattern: "x" } };
  return { status: "success", data: { ...data }, text: "Found matches.", stats: { time_ms: 12 }, context };
}

function longText(): ToolResponse {
  const line = '  console.log("naïve", value);\n';
  return response({ content: line.repeat(Math.ceil((50 * MIB) / Buffer.byteLength(line))) });
}

function manyMatches(): ToolResponse {
  const match = (line: number) => ({ file: `src/module-${line % 997}.ts`, line, text: "const value = compute();" });
  const bytesEach = Buffer.byteLength(JSON.stringify(match(100_000), null, 2)) + 20;
  return response({ matches: Array.from({ length: Math.ceil((50 * MIB) / bytesEach) }, (_, line) => match(line)) });
}

function truncating(make: () => ToolResponse) {
  const projectRoot = join(FIXTURES, "truncate");
  mkdirSync(projectRoot, { recursive: true });
  const truncate = createTruncator({ store: createOutputStore(createSandbox({ projectRoot })) });
  const value = make();
  return [
    contender({
      name: "truncator, spill included",
      prepare: () => undefined,
      run: () => truncate("Bench", value),
      cleanUp: (truncated) => {
        if (!JSON.stringify(truncated.data).includes("full_output_path")) throw new Error("Nothing was spilled.");
        rmSync(join(projectRoot, "tool-output"), { recursive: true, force: true });
      },
    }),
    plain(STRINGIFY, () => Promise.resolve(JSON.stringify(value, null, 2))),
  ];
}

export const truncateRows: readonly Row[] = [
  row("truncate-text", "Truncator on one text of 50 MB", [within(STRINGIFY, 3)], () => truncating(longText)),
  row("truncate-matches", "Truncator on matches, 50 MB", [within(STRINGIFY, 3)], () => truncating(manyMatches)),
];
