import { posix } from "node:path";
import { checkPackage, createPackageFromTarballData, type Package } from "@arethetypeswrong/core";
import { filterProblems } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** The packages are ES modules, which Node's own `require` takes too. */
const RESOLUTIONS = ["node10", "node16-esm", "bundler"] as const;

/** What is exported for other programs than a compiler. */
const ASSETS = [/\.txt$/u];

/** What publint and are-the-types-wrong find, and missing source maps, in a package as it was published. */
export async function tarballProblems(tarball: ArrayBuffer): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  const contents = createPackageFromTarballData(new Uint8Array(tarball));
  const analysis = await checkPackage(contents, { excludeEntrypoints: ASSETS });
  if (analysis.types === false) return ["It has no types."];
  const wrongTypes = RESOLUTIONS.flatMap((resolutionKind) => filterProblems(analysis, { resolutionKind }));
  return [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    ...wrongTypes.map((problem) => JSON.stringify(problem)),
    ...missingMaps(contents),
  ];
}

function missingMaps(contents: Package): string[] {
  return contents.listFiles().flatMap((file) => {
    const map = /^\/\/# sourceMappingURL=(?<name>.+)$/mu.exec(contents.readFile(file))?.groups?.name;
    if (map === undefined || contents.fileExists(posix.join(posix.dirname(file), map))) return [];
    return [`${file} names a map, ${map}, that is not there.`];
  });
}
