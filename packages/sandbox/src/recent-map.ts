/** A map of limited size; the least recently used entry goes first. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  keys(): string[];
}

/** A {@link RecentMap} of at most `maxEntries`. */
export function createRecentMap<Value>(maxEntries: number): RecentMap<Value> {
  // A Map keeps the order of insertion, so its first key is the oldest.
  const entries = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => {
      entries.delete(key);
    },
    keys: () => [...entries.keys()],
  };
}
