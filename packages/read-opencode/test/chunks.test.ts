import { appendFileSync, truncateSync } from "node:fs";
import { createPacer, createSandbox, type SandboxFile } from "@fstools/sandbox";
import { fixture, type Fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { readChunks } from "../src/chunks.ts";

const pacer = createPacer(new AbortController().signal);

async function open({ root }: Fixture, name: string): Promise<SandboxFile> {
  const sandbox = createSandbox({ projectRoot: root });
  return sandbox.open(await sandbox.resolve(name));
}

async function collect(file: SandboxFile, from = 0, onChunk?: () => void): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readChunks(file, from, pacer)) {
      chunks.push(Uint8Array.from(chunk));
      onChunk?.();
    }
  } finally {
    file.close();
  }
  return Buffer.concat(chunks);
}

const LARGE = Buffer.from(Array.from({ length: 700_001 }, (_, index) => index % 251));

describe("readChunks", () => {
  it.each([0, 1, 3, 699_999, 700_001])("reads every byte from position %i on", async (from) => {
    const file = await open(fixture({ large: LARGE }), "large");
    expect((await collect(file, from)).equals(LARGE.subarray(from))).toBe(true);
  });

  it("reads nothing from an empty file", async () => {
    expect(await collect(await open(fixture({ empty: "" }), "empty"))).toHaveLength(0);
  });

  it("ends where the file ended when it was opened, though it grows", async () => {
    const files = fixture({ log: LARGE });
    const bytes = await collect(await open(files, "log"), 0, () => {
      appendFileSync(files.path("log"), "more ".repeat(100_000));
    });
    expect(bytes.equals(LARGE)).toBe(true);
  });

  it("ends where a file ends that shrinks meanwhile", async () => {
    const files = fixture({ log: LARGE });
    const bytes = await collect(await open(files, "log"), 0, () => {
      truncateSync(files.path("log"), 300_000);
    });
    expect(bytes.equals(LARGE.subarray(0, 300_000))).toBe(true);
  });

  it("lets the event loop turn, and stops when the signal is aborted", async () => {
    const file = await open(fixture({ large: Buffer.alloc(64 * 1024 * 1024) }), "large");
    const controller = new AbortController();
    const reason = new Error("enough");
    setImmediate(() => {
      controller.abort(reason);
    });
    const chunks = readChunks(file, 0, createPacer(controller.signal, 0));
    await expect(
      (async () => {
        for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0);
      })(),
    ).rejects.toBe(reason);
    file.close();
  });
});
