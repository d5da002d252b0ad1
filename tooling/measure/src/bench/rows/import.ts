import { fileURLToPath } from "node:url";
import { output } from "../command.ts";
import type { Contender, Row } from "../row.ts";

const ZOD = "zod";
const child = fileURLToPath(new URL("../import-time.js", import.meta.url));

/** Each sample is a new process that tells how long the import took, its own start not counted. */
function importContender(specifier: string): Contender {
  return {
    name: specifier,
    answer: undefined,
    tick: undefined,
    sample: async () => Number((await output(process.execPath, [child, specifier], process.cwd())).toString()),
  };
}

function row(specifier: string): Row {
  return {
    id: `import-${specifier.replace("@fstools/", "")}`,
    work: `Import of \`${specifier}\`, fresh process`,
    mode: "quick",
    targets: [{ rival: ZOD, timesAtMost: 0.5 }],
    contenders: () => [importContender(specifier), importContender(ZOD)],
  };
}

/** What a user of one tool imports. */
export const TOOL_PACKAGES = [
  "@fstools/ls",
  "@fstools/glob",
  "@fstools/grep",
  "@fstools/read",
  "@fstools/read-opencode",
];

export const importRows: readonly Row[] = TOOL_PACKAGES.map(row);
