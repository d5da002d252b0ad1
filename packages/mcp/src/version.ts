import { createRequire } from "node:module";
import { z } from "zod";

const manifest: unknown = createRequire(import.meta.url)("../package.json");

/** The version of this package. */
export const VERSION = z.object({ version: z.string() }).parse(manifest).version;
