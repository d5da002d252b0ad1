import type { Flavour } from "./flavour.ts";

const MAX_CONTROL_SHARE = 0.3;

/** Whether a file's extension alone says that it is binary. */
export function hasBinaryExtension(path: string, flavour: Flavour): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  // A dot at the start makes a hidden file, not an extension.
  return dot > 0 && flavour.binaryExtensions.has(name.slice(dot).toLowerCase());
}

/** Whether a file's first bytes say that it is binary: a NUL, or too many control characters. */
export function looksBinary(sample: Uint8Array): boolean {
  if (sample.includes(0)) return true;
  const controls = sample.reduce((count, byte) => (byte < 9 || (byte > 13 && byte < 32) ? count + 1 : count), 0);
  return controls > sample.length * MAX_CONTROL_SHARE;
}
