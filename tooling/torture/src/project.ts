import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CANARY } from "./examine.ts";

/** The links of a project, each with where it leads; and the calls that "load" makes. */
export const TABLES = JSON.parse(readFileSync(new URL("../tables.json", import.meta.url), "utf8")) as {
  readonly links: Readonly<Record<string, string>>;
  readonly calls: readonly (readonly [tool: string, params: object])[];
};

export interface Project {
  readonly root: string;
  readonly outside: string;
  readonly paths: readonly string[];
}

/** Writes files of one content, with the directories above them. */
export function lay(root: string, names: readonly string[], content: string | Buffer): void {
  for (const path of names.map((name) => join(root, name))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Makes a project with links of every kind, next to `outside` and to a sibling whose name only begins like it. */
export function createProject(folder: string): Project {
  const root = join(folder, "project");
  const outside = join(folder, "outside");
  const sibling = join(folder, "project-evil");
  const secrets = ["secret.txt", `${CANARY}.ts`, `${CANARY}-directory/a.ts`];
  for (const directory of [outside, sibling]) lay(directory, secrets, `${CANARY}\n`);
  const files: Record<string, string | Buffer> = {
    "README.md": "# Project\n\nText.\n",
    "src/index.ts": "export {};\n".repeat(700),
    "src/config.tsx": "a\r\nb\rc\n",
    "src/deep/deeper/long.txt": `${"x".repeat(40_000)}\nend`,
    "src/binary.dat": Buffer.from([0, 1, 2, 3]),
    "src/latin1.txt": Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
    "src/utf16.txt": Buffer.from("\ufeffhello\n", "utf16le"),
    "src/empty": "",
    "app/(auth)/[...slug]/page.tsx": "page\n",
    "node_modules/dependency/index.ts": "module\n",
    ".git/HEAD": "ref\n",
    "..name/..file": "dots\n",
  };
  for (const [name, content] of Object.entries(files)) lay(root, [name], content);
  const links = { ...TABLES.links, "out-absolute": outside };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  execFileSync("mkfifo", [join(root, "pipe")]);
  return { root, outside, paths: [".", "src", "app", "..name", "pipe", ...Object.keys(files), ...Object.keys(links)] };
}
