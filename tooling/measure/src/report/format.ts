/** Milliseconds with as many digits as mean something. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

/** A count or a number of bytes, short. */
export function size(value: number, unit: "entries" | "bytes"): string {
  if (unit === "entries") return value >= 1_000_000 ? `${value / 1_000_000}M` : `${value / 1000}k`;
  return value >= 1024 ** 3 ? `${value / 1024 ** 3} GiB` : `${value / 1024 ** 2} MiB`;
}
