import type { ViteUserConfig } from "vitest/config";

/** How vitest runs the tests of a package: from its sources; the other packages too, unless `pnpm test` has built them. */
export declare function nodeProject(test?: ViteUserConfig["test"]): ViteUserConfig;
