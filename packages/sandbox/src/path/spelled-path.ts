import { resolve } from "node:path";
import type { SafePath } from "./safe-path.ts";

/** The absolute path that an input spells, by its letters alone: for messages, as nothing about it is checked. */
export function spelledPath(input: string, from: SafePath): string {
  return resolve(from.absolute, input);
}
