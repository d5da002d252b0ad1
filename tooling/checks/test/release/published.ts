import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Registry, startRegistry } from "./registry.ts";
import { copyWorkspace, type WorkspaceCopy } from "./workspace-copy.ts";

export interface Published {
  readonly folder: string;
  readonly registry: Registry;
  readonly copy: WorkspaceCopy;
  remove(): void;
}

export async function publishEverything(): Promise<Published> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fstools-release-")));
  const registry = await startRegistry(folder);
  const copy = await copyWorkspace(join(folder, "workspace"), registry);
  await copy.version();
  await copy.publish("pnpm");
  return {
    folder,
    registry,
    copy,
    remove: () => {
      registry.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
