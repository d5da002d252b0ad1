/** A map of at most `maxEntries`; the least recently used one goes first. */
export function createRecentMap<Value>(maxEntries: number) {
  // A Map keeps the order of insertion, so its first key is the oldest.
  const entries = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get: (key: string): Value | undefined => {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key: string) => entries.delete(key),
    keys: () => [...entries.keys()],
  };
}
