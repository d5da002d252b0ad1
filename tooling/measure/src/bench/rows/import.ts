import { output } from "../rivals.ts";
import { row, within, type Contender, type Row } from "../row.ts";

const ZOD = "zod";
const SCRIPT = `const start = performance.now();
await import(process.argv[1]);
console.log(performance.now() - start);`;

/** Each sample is a new process that tells how long the import took, its own start not counted. */
function importContender(name: string): Contender {
  const args = ["--input-type=module", "--eval", SCRIPT, name];
  const sample = async () => Number((await output(process.execPath, args, process.cwd())).toString());
  return { name, answer: undefined, tick: undefined, sample };
}

export const TOOL_PACKAGES = ["ls", "glob", "grep", "read", "read-opencode"].map((name) => `@fstools/${name}`);

export const importRows: readonly Row[] = TOOL_PACKAGES.map((name) => {
  const contenders = () => [name, ZOD].map(importContender);
  const id = `import-${name.replace("@fstools/", "")}`;
  return row(id, `Import of \`${name}\`, fresh process`, [within(ZOD, 0.5)], contenders);
});
