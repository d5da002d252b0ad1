/** A process of its own: imports what its argument names and prints by how many bytes its resident memory grew. */
const specifier = process.argv[2] ?? "";
globalThis.gc?.();
const before = process.memoryUsage.rss();
await import(specifier);
console.log(process.memoryUsage.rss() - before);
