import { readdirSync, readlinkSync } from "node:fs";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createReader } from "../src/tool.ts";

const { signal } = new AbortController();

function leadsTo(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // The one that listed the directory is closed by now.
    return "";
  }
}

describe("createReader", () => {
  it("tells the path as soon as it is known, also when the read then fails", async () => {
    const { read } = createReader({ projectRoot: fixture({ src: { "a.zip": "" } }).root });
    const noted: object[] = [];
    const input = { filePath: "src/a.zip", offset: 1, limit: 1 };
    const reading = read(input, signal, { note: (context) => noted.push(context), tell: () => undefined });
    await expect(reading).rejects.toMatchObject({ code: "BINARY_FILE" });
    expect(noted).toEqual([{ path_resolved: "src/a.zip" }]);
  });

  it("says what it read", async () => {
    const { root } = fixture({ "a.txt": "x\ny", "b.png": Buffer.from("89504e470d0a1a0a", "hex") });
    const { read } = createReader({ projectRoot: root, attachments: true });
    const content = (filePath: string) => read({ filePath, offset: 2, limit: 1 }, signal);
    expect(await content("a.txt")).toMatchObject({ kind: "file", first: 2, sizeBytes: 3, page: { lines: ["y"] } });
    expect(await content(".")).toMatchObject({ kind: "directory", first: 2, page: { entries: ["b.png"], total: 2 } });
    expect(await content("b.png")).toMatchObject({ kind: "attachment", attachment: { mime: "image/png" } });
  });

  it.runIf(process.platform === "linux")("leaves no descriptor open, however a read ends", async () => {
    const { root } = fixture({ "a.txt": "x\n".repeat(100_000), "a.zip": "", dir: { b: "" } });
    const { read } = createReader({ projectRoot: root });
    const openHere = () => readdirSync("/proc/self/fd").filter((fd) => leadsTo(fd).startsWith(root));
    for (const [filePath, offset] of [
      ["a.txt", 1],
      ["a.txt", 1_000_000],
      ["a.zip", 1],
      ["dir", 1],
      ["gone", 1],
    ] as const) {
      await read({ filePath, offset, limit: 10 }, signal).catch(() => undefined);
    }
    expect(openHere()).toEqual([]);
  });
});
