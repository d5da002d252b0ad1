import { createRequire } from "node:module";
import { z } from "@fstools/protocol";

// By name: how deep this file lies differs between sources and build.
const manifest: unknown = createRequire(import.meta.url)("@fstools/mcp/package.json");

/** The version of this package. */
export const VERSION = z.object({ version: z.string() }).parse(manifest).version;
