import { useCallback, useState } from "react";
import type { z } from "zod";

/** Where something is remembered: for this tab until it is closed, or for the browser. */
export type Shelf = "tab" | "browser";

/** Reads what was saved under a key; undefined if there is nothing that fits. */
export function loadSaved<Value>(shelf: Shelf, key: string, schema: z.ZodType<Value>): Value | undefined {
  try {
    const read = schema.safeParse(JSON.parse(storageOf(shelf).getItem(key) ?? ""));
    return read.success ? read.data : undefined;
  } catch {
    // Nothing, or nothing that is JSON, was saved.
    return undefined;
  }
}

/** Saves a value; false if there is no room for it. */
export function save(shelf: Shelf, key: string, value: unknown): boolean {
  try {
    storageOf(shelf).setItem(key, JSON.stringify(value));
    return true;
  } catch {
    // The browser's quota is used up.
    return false;
  }
}

function storageOf(shelf: Shelf): Storage {
  return shelf === "tab" ? window.sessionStorage : window.localStorage;
}

/** State that survives a reload. */
export function useSaved<Value>(
  shelf: Shelf,
  key: string,
  schema: z.ZodType<Value>,
  fallback: Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => loadSaved(shelf, key, schema) ?? fallback);
  const keep = useCallback(
    (next: Value) => {
      save(shelf, key, next);
      setValue(next);
    },
    [shelf, key],
  );
  return [value, keep];
}
