import { useState, useSyncExternalStore } from "react";
import type { Params } from "../envelope.ts";

/** The address of a tool call: "#/tool/Read?path=README.md&limit=20"; what is a list is repeated. */
export function hrefOf(tool: string, params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      query.append(name, typeof one === "string" ? one : JSON.stringify(one));
  }
  const search = query.toString().replaceAll("%2F", "/").replaceAll("%2A", "*");
  return `#/tool/${encodeURIComponent(tool)}${search === "" ? "" : `?${search}`}`;
}

/** The tool call that an address names, if it names one; a repeated name has several values. */
export function parseRoute(hash: string): { readonly tool: string; readonly query: URLSearchParams } | undefined {
  const [, tool, query = ""] = /^#\/tool\/(\w+)(?:\?(.*))?$/u.exec(hash) ?? [];
  return tool === undefined ? undefined : { tool, query: new URLSearchParams(query) };
}

/** The page's current hash. */
export function useHash(): string {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("hashchange", changed);
      return () => window.removeEventListener("hashchange", changed);
    },
    () => window.location.hash,
  );
}

/** A text that this browser remembers, in every tab. */
export function useSaved(key: string, first: () => string): [string, (value: string) => void] {
  const save = (next: string) => {
    window.localStorage.setItem(key, next);
    return next;
  };
  const [value, setValue] = useState(() => window.localStorage.getItem(key) ?? save(first()));
  return [value, (next) => setValue(save(next))];
}
