// By the package's name: how deep this file lies differs between sources and build.
import manifest from "@fstools/mcp/package.json" with { type: "json" };

/** The version of this package. */
export const VERSION: string = manifest.version;
