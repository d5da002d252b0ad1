import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const app = fileURLToPath(new URL("../..", import.meta.url));
const outputDirectory = join(app, "dist", "web");
const stampFile = join(app, "dist", "web.stamp");

/** Builds the page with Vite unless the built one is of the same sources; returns where it is. */
export async function buildPage(): Promise<string> {
  const stamp = sourceStamp();
  const current = existsSync(stampFile) && existsSync(outputDirectory) ? readFileSync(stampFile, "utf8") : "";
  if (current === stamp) return outputDirectory;
  const { build } = await import("vite");
  await build({ configFile: join(app, "vite.config.ts"), logLevel: "warn" });
  writeFileSync(stampFile, stamp);
  return outputDirectory;
}

/** A hash over everything that ends up in the page. */
function sourceStamp(): string {
  const folders = [
    join(app, "src"),
    fileURLToPath(new URL("src", import.meta.resolve("@fstools/protocol/package.json"))),
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );
  const hash = createHash("sha256");
  for (const file of [...files, join(app, "vite.config.ts"), join(app, "package.json")]) {
    hash.update(file.slice(app.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}
