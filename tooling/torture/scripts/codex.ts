// Codex's own cases for its apply_patch, read from a checkout of it, against Patch: node … scripts/codex.ts PATH
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPatchTool } from "@fstools/patch";

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error("Pass the path of a checkout of openai/codex.");
const crate = join(checkout, "codex-rs", "apply-patch");
const scratch = mkdtempSync(join(tmpdir(), "fstools-codex-"));

function filesIn(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = all.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, "latin1")]));
}

async function apply(root: string, patch: string, isDryRun = false) {
  const response = await createPatchTool({ projectRoot: root, durable: false }).run({ patch, dry_run: isDryRun });
  return { isError: response.status === "error", said: response.text.split("\n", 1)[0] ?? "" };
}

async function runScenarios(): Promise<void> {
  const scenarios = join(crate, "tests", "fixtures", "scenarios");
  for (const entry of readdirSync(scenarios, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const [from, root] = [join(scenarios, entry.name), join(scratch, entry.name)];
    mkdirSync(root);
    if (existsSync(join(from, "input"))) cpSync(join(from, "input"), root, { recursive: true });
    const { isError, said } = await apply(root, readFileSync(join(from, "patch.txt"), "utf8"));
    const isSame = JSON.stringify(filesIn(root)) === JSON.stringify(filesIn(join(from, "expected")));
    console.log(`${isSame ? "same   " : "DIFFERS"} ${entry.name}${isSame && !isError ? "" : `: ${said}`}`);
  }
}

const RUST_STRING = /r#"([^]*?)"#|"((?:[^"\\]|\\[^])*)"/gu;

function unescapeRust(text: string): string {
  return text
    .replaceAll(/\\\n\s*/gu, "")
    .replaceAll(/\\(.)/gu, (_, letter: string) => ({ n: "\n", t: "\t", r: "\r" })[letter] ?? letter);
}

async function readParserCases(): Promise<void> {
  for (const file of ["parser.rs", "streaming_parser.rs"]) {
    const source = readFileSync(join(crate, "src", file), "utf8");
    for (const match of source.matchAll(RUST_STRING)) {
      const patch = match[1] ?? unescapeRust(match[2] ?? "");
      if (!/^\s*(?:<<.*\n)?\*\*\* Begin Patch\s*\n/u.test(patch)) continue;
      const { isError, said } = await apply(scratch, patch, true);
      const isRead = !isError || !/^(?:Line \d+ of the patch|The patch is empty|patch is in neither)/u.test(said);
      const line = source.slice(0, match.index).split("\n").length;
      const expected = /\bOk\(|\.unwrap\(\)|\bErr\(/u.exec(source.slice(match.index + match[0].length))?.[0] ?? "";
      console.log(`${isRead ? "read   " : "refused"} ${file}:${line} (Codex: ${expected}): ${isRead ? "" : said}`);
    }
  }
}

try {
  await runScenarios();
  await readParserCases();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
