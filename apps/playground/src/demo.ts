import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../demo", import.meta.url));

/** Copies the demo projects into a temporary folder, so that an agent can change them without harm. */
export function copyDemo() {
  const folder = mkdtempSync(join(tmpdir(), "fstools-demo-"));
  const root = join(folder, "orchard");
  cpSync(source, folder, { recursive: true });
  // A directory of a size that git should not have to carry.
  mkdirSync(join(root, "measurements"));
  for (let day = 1; day <= 1000; day++)
    writeFileSync(join(root, "measurements", `day-${String(day).padStart(4, "0")}.csv`), `${day},${(day * 7) % 23}\n`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { root, other: join(folder, "cidery"), history: join(folder, "history"), remove };
}
