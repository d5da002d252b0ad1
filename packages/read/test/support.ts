import { conformant } from "@fstools/testing";
import { createReadTool, type ReadToolOptions } from "../src/index.ts";

/** Calls Read and expects an answer that keeps the envelope's rules. */
export async function read(options: ReadToolOptions, params: unknown) {
  return conformant(await createReadTool(options).run(params), "read");
}
