/** A process of its own: imports what its argument names and prints how many milliseconds that took. */
const specifier = process.argv[2] ?? "";
const start = performance.now();
await import(specifier);
console.log(performance.now() - start);
