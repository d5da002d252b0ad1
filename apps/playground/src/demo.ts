import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../demo", import.meta.url));

/** A copy of the demo project in a folder of its own. */
export interface DemoCopy {
  readonly root: string;
  remove(): void;
}

/** Copies the demo project into a temporary folder, so that an agent can change it without harm. */
export function copyDemo(): DemoCopy {
  const folder = mkdtempSync(join(tmpdir(), "fstools-demo-"));
  const root = join(folder, "orchard");
  cpSync(source, root, { recursive: true });
  return {
    root,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
