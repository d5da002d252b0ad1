import { Buffer } from "node:buffer";
import type { Pacer, SandboxFile } from "@fstools/sandbox";

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a file from a position to its end, chunk by chunk; a chunk is valid until the next one is asked for.
 *
 * The size at open is the end, so that a file that is being written to ends too. Reads are synchronous, which is
 * several times faster than waiting for each one, and give way to the event loop every few milliseconds.
 */
export async function* readChunks(file: SandboxFile, from: number, pacer: Pacer): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(Math.min(file.size, CHUNK_BYTES));
  for (let position = from; position < file.size;) {
    if (pacer.due()) await pacer.rest();
    const bytesRead = file.read(buffer.subarray(0, file.size - position), position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
