import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The built page: URL path → content. Nothing else on the disk can be asked for. */
export type PageFiles = ReadonlyMap<string, { readonly type: string; readonly body: Uint8Array<ArrayBuffer> }>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const app = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(app, "dist");

/** Builds the page with Vite unless there is one of the same sources, and reads it into memory. */
export async function buildPage(): Promise<PageFiles> {
  const folder = join(dist, `page-${sourceHash().slice(0, 16)}`);
  if (!existsSync(folder)) await build(folder);
  const files = filesIn(folder).flatMap((path) => {
    const type = TYPES[extname(path)];
    const url = `/${relative(folder, path).split(sep).join("/")}`;
    return type === undefined ? [] : [[url, { type, body: new Uint8Array(readFileSync(path)) }] as const];
  });
  return new Map(files);
}

async function build(folder: string): Promise<void> {
  // Built beside its place and then moved, so that two processes at once cannot spoil each other's work.
  const draft = join(dist, `draft-${process.pid}`);
  const { NODE_ENV = "" } = process.env;
  // The tests' value would put React's development build into the page.
  process.env.NODE_ENV = "production";
  const vite = await import("vite");
  const configFile = join(app, "vite.config.ts");
  await vite.build({ configFile, logLevel: "warn", build: { outDir: draft, emptyOutDir: true } });
  process.env.NODE_ENV = NODE_ENV;
  for (const name of readdirSync(dist))
    if (name.startsWith("page-") && name !== basename(folder)) rmSync(join(dist, name), { recursive: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** A hash over everything that ends up in the page. */
function sourceHash(): string {
  const protocol = fileURLToPath(new URL("src", import.meta.resolve("@fstools/protocol/package.json")));
  const files = [join(app, "src"), protocol].flatMap(filesIn);
  const hash = createHash("sha256");
  for (const file of [...files, join(app, "vite.config.ts"), join(app, "package.json")])
    hash.update(file.slice(app.length)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort();
}
