import type { ViteUserConfig } from "vitest/config";

/** Tests run from the sources of every workspace package, never from `dist`. */
export declare function nodeProject(test?: ViteUserConfig["test"]): ViteUserConfig;
