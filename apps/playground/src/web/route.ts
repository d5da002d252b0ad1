import { useSyncExternalStore } from "react";
import type { Params } from "../params.ts";

/** A tool call in the address: "#/tool/Read?path=README.md&limit=20". */
export interface Route {
  readonly tool: string;
  /** Values as written; a repeated name has several. */
  readonly query: URLSearchParams;
}

/** The address of a tool call; what is a list is repeated. */
export function hrefOf(tool: string, params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value])
      query.append(name, typeof one === "string" ? one : JSON.stringify(one));
  }
  const search = query.toString().replaceAll("%2F", "/").replaceAll("%2A", "*");
  return `#/tool/${encodeURIComponent(tool)}${search === "" ? "" : `?${search}`}`;
}

/** The tool call that an address names, if it names one. */
export function parseRoute(hash: string): Route | undefined {
  const [, tool, query = ""] = /^#\/tool\/([^?]+)(?:\?(.*))?$/u.exec(hash) ?? [];
  return tool === undefined ? undefined : { tool: safeDecode(tool), query: new URLSearchParams(query) };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The page's current hash. */
export function useHash(): string {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("hashchange", changed);
      return () => {
        window.removeEventListener("hashchange", changed);
      };
    },
    () => window.location.hash,
  );
}
