import { openWith } from "./fstools.ts";
import type { OpenHost } from "./host.ts";

/** Our tools, with lines that have no numbers. */
export const open: OpenHost = (root, second) => openWith("none", root, second);
