import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { filterProblems } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** The packages are ES modules; how older ways would resolve them does not count. */
const RESOLUTIONS = ["node16-esm", "bundler"] as const;

/** What is exported for other programs than a compiler. */
const ASSETS = [/\.txt$/u];

/** What publint and are-the-types-wrong find in a package as it was published. */
export async function tarballProblems(tarball: ArrayBuffer): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)), {
    excludeEntrypoints: ASSETS,
  });
  if (analysis.types === false) return ["It has no types."];
  const wrongTypes = RESOLUTIONS.flatMap((resolutionKind) => filterProblems(analysis, { resolutionKind }));
  return [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    ...wrongTypes.map((problem) => JSON.stringify(problem)),
  ];
}
