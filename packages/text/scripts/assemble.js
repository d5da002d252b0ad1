// @ts-check
// Assembles line-counter.wat into src/bytes/line-counter-module.ts; run it after every change to the first.
import { readFileSync, writeFileSync } from "node:fs";
import wabt from "wabt";

const source = new URL("line-counter.wat", import.meta.url);
const target = new URL("../src/bytes/line-counter-module.ts", import.meta.url);

const { parseWat } = await wabt();
const module = parseWat("line-counter.wat", readFileSync(source, "utf8"), { simd: true });
const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
const lines = base64.match(/.{1,100}/gu) ?? [];

writeFileSync(
  target,
  `// Generated from scripts/line-counter.wat by scripts/assemble.js.

/** The assembled line-counter.wat, in base64. */
export const LINE_COUNTER_MODULE =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`,
);
