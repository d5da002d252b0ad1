import { getMimeType } from "hono/utils/mime";
import { fileURLToPath } from "node:url";

/** The built page: URL path → content. Nothing else on the disk can be asked for. */
export type PageFiles = ReadonlyMap<string, { readonly type: string; readonly body: Uint8Array<ArrayBuffer> }>;

/** Builds the page with Vite, in memory; it takes a second. */
export async function buildPage(): Promise<PageFiles> {
  const { NODE_ENV = "" } = process.env;
  // The tests' value would put React's development build into the page.
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  const configFile = fileURLToPath(new URL("../../vite.config.ts", import.meta.url));
  const built = await build({ configFile, logLevel: "warn", build: { write: false } });
  process.env.NODE_ENV = NODE_ENV;
  const files = "output" in built ? built.output : [];
  return new Map(
    files.map((file) => {
      const body = new Uint8Array(Buffer.from(file.type === "chunk" ? file.code : file.source));
      return [`/${file.fileName}`, { type: getMimeType(file.fileName) ?? "text/plain", body }];
    }),
  );
}
