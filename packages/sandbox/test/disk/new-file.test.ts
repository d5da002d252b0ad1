import { closeSync, existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { fixture } from "@fstools/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { openVerified } from "../../src/disk/descriptor.ts";
import { writeNewFile } from "../../src/disk/new-file.ts";

const HELLO = [Buffer.from("hel"), Buffer.from(""), Buffer.from("lo")];

describe.each([
  ["through /proc", true],
  ["by path", false],
])("writeNewFile %s", (_, usesProc) => {
  function setUp(deny?: string[]) {
    const tree = fixture({ root: { out: { "old.txt": "old" } }, outside: {} });
    const boundary = createBoundary({ projectRoot: tree.path("root"), deny, usesProc });
    const path = boundary.paths.create("out");
    const { descriptor } = openVerified(boundary, path, "directory");
    onTestFinished(() => {
      closeSync(descriptor);
    });
    const write = (name: string, chunks: Iterable<Uint8Array>) =>
      writeNewFile(boundary, { path, descriptor }, name, chunks);
    return { ...tree, write };
  }

  it("writes all chunks into a file for the user alone", async () => {
    const { path, write } = setUp();
    await write("new.txt", HELLO);
    expect(readFileSync(path("root/out/new.txt"), "utf8")).toBe("hello");
    expect(statSync(path("root/out/new.txt")).mode & 0o777).toBe(0o600);
  });

  it("never overwrites, and follows no link", async () => {
    const { path, write } = setUp();
    symlinkSync("../../outside/new.txt", path("root/out/link.txt"));
    for (const name of ["old.txt", "link.txt"])
      await expect(write(name, HELLO)).rejects.toMatchObject({ code: "EEXIST" });
    expect(readFileSync(path("root/out/old.txt"), "utf8")).toBe("old");
    expect(existsSync(path("outside/new.txt"))).toBe(false);
  });

  it("removes what it could not finish", async () => {
    const { path, write } = setUp();
    let half = "";
    function* failing(): Generator<Uint8Array> {
      yield Buffer.from("half");
      yield Buffer.from(", then the other");
      half = readFileSync(path("root/out/new.txt"), "utf8");
      throw new Error("no more");
    }
    await expect(write("new.txt", failing())).rejects.toThrow("no more");
    // The second chunk may still be on its way.
    expect(half).toMatch(/^half/u);
    expect(existsSync(path("root/out/new.txt"))).toBe(false);
  });

  it("writes nothing that is denied", async () => {
    const { path, write } = setUp(["**/*.json"]);
    await expect(write("new.json", HELLO)).rejects.toMatchObject({ reason: "denied" });
    expect(existsSync(path("root/out/new.json"))).toBe(false);
  });
});
