import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  publishConfig: z.looseObject({ provenance: z.boolean().optional() }).optional(),
});

export type Manifest = z.output<typeof manifestSchema>;

export function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}

export function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

export function packageFolders(workspace: string): string[] {
  return readdirSync(join(workspace, "packages")).map((name) => join(workspace, "packages", name));
}

export function versions(workspace: string): Record<string, string> {
  return Object.fromEntries(
    packageFolders(workspace)
      .map(readManifest)
      .map(({ name, version }) => [name, version]),
  );
}

/** Everything that needs `name` directly. Their patches stay within the ranges of what needs them in turn. */
export function dependentsOf(workspace: string, name: string): Set<string> {
  const manifests = packageFolders(workspace).map(readManifest);
  return new Set(manifests.filter(({ dependencies }) => name in dependencies).map((manifest) => manifest.name));
}
