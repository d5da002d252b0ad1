import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

/** The built page: URL path → content. Nothing else on the disk can be asked for. */
export type PageFiles = ReadonlyMap<string, { readonly type: string; readonly body: Uint8Array<ArrayBuffer> }>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads the built page into memory. */
export function loadPage(directory: string): PageFiles {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const served = names.filter((name) => TYPES[extname(name)] !== undefined);
  return new Map(
    served.map((name) => {
      const url = `/${relative(directory, join(directory, name)).split(sep).join("/")}`;
      return [url, { type: TYPES[extname(name)] ?? "", body: new Uint8Array(readFileSync(join(directory, name))) }];
    }),
  );
}
