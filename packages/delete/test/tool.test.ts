import { appendFileSync, linkSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Buffer } from "node:buffer";
import { conformant, fifo, fixture, link } from "@fstools/testing";
import { createFileVersions, createSandbox } from "@fstools/sandbox";
import { createReadTool } from "@fstools/read";
import { describe, expect, it } from "vitest";
import { createDeleteTool, type DeleteToolOptions } from "../src/tool.ts";

async function remove(root: string, params: object, options: Partial<Omit<DeleteToolOptions, "sandbox">> = {}) {
  const response = await createDeleteTool({ projectRoot: root, durable: false, ...options }).run(params);
  return conformant(response, "edit");
}

describe("Delete", () => {
  it("deletes a file", async () => {
    const { root } = fixture({ "a.txt": "abc", b: "b" });
    const response = await remove(root, { path: "a.txt" });
    expect(response.status).toBe("success");
    expect(response.data).toEqual({ applied: true, operation: "delete", path: "a.txt", files: 1, bytes: 3 });
    expect(response.text.replace(/\d+ms/u, "0ms")).toBe("Deleted 'a.txt' (1 files, 3 bytes).\n(Took 0ms)");
    expect(response.context).toMatchObject({ path_resolved: "a.txt", truncation_skip: true });
    expect(readdirSync(root)).toEqual(["b"]);
  });

  it("deletes an empty directory, and any other only if it is told to", async () => {
    const { root } = fixture({ empty: {}, full: { a: "a", sub: { b: "b" } } });
    expect((await remove(root, { path: "empty/" })).data).toMatchObject({ files: 0, bytes: 0 });
    const refused = await remove(root, { path: "full" });
    expect(refused.error).toEqual({ code: "INVALID_PARAM", message: "Directory 'full' is not empty (2 entries)." });
    expect(refused.text).toContain("recursive=true");
    expect(readdirSync(root)).toEqual(["full"]);
    expect((await remove(root, { path: "full", recursive: true })).data).toMatchObject({ files: 2, bytes: 2 });
    expect(readdirSync(root)).toEqual([]);
  });

  it("deletes a link to the root, but not the root", async () => {
    const { root } = fixture({ self: link("."), a: "a" });
    expect((await remove(root, { path: "self/.", recursive: true })).error?.code).toBe("ACCESS_DENIED");
    expect((await remove(root, { path: "self" })).status).toBe("success");
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("deletes what is of no use to any other tool: FIFOs, broken links, names of every byte", async () => {
    const long = "n".repeat(255);
    const { root, path } = fixture({
      dir: { pipe: fifo(), out: link("/etc"), broken: link("no"), [long]: "l" },
      "a\nb": "x",
    });
    const every = Array.from({ length: 255 }, (_, at) => at + 1).filter((byte) => byte !== 47);
    for (const part of [every.slice(0, 128), every.slice(128)]) {
      writeFileSync(Buffer.concat([Buffer.from(`${path("dir")}/`), Buffer.from(part)]), "b");
    }
    expect((await remove(root, { path: "dir", recursive: true })).data).toMatchObject({ files: 6 });
    expect((await remove(root, { path: "a\nb" })).text).toContain(String.raw`Deleted 'a\nb'`);
    expect(readdirSync(root)).toEqual([]);
    expect(readdirSync("/etc").length).toBeGreaterThan(0);
  });

  it("deletes one name of several of a file", async () => {
    const { root, path } = fixture({ a: "a" });
    linkSync(path("a"), path("b"));
    await remove(root, { path: "a" });
    expect(readFileSync(path("b"), "utf8")).toBe("a");
  });

  it("deletes a link, not what it leads to", async () => {
    const { root, path } = fixture({ dir: { a: "a" }, to: link("dir"), out: link("/etc") });
    for (const name of ["to", "out"])
      expect((await remove(root, { path: name, recursive: true })).status).toBe("success");
    expect(readFileSync(path("dir/a"), "utf8")).toBe("a");
    expect(readdirSync(root)).toEqual(["dir"]);
  });

  it.each<[string, object, string, string]>([
    ["what is not there", { path: "no.txt" }, "NOT_FOUND", "Path 'no.txt' does not exist."],
    ["the project root", { path: ".", recursive: true }, "ACCESS_DENIED", "Writing to '.' is not allowed."],
    ["what is outside", { path: "../x" }, "ACCESS_DENIED", "Access denied. Path must be within project root."],
    [
      "what is behind a link to outside",
      { path: "out/passwd" },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    ["what is protected", { path: ".git", recursive: true }, "ACCESS_DENIED", "Writing to '.git' is not allowed."],
    ["what is denied", { path: ".env" }, "ACCESS_DENIED", "Writing to '.env' is not allowed."],
    [
      "what holds such entries",
      { path: "repo", recursive: true },
      "ACCESS_DENIED",
      "Writing to 'repo' is not allowed.",
    ],
    ["nothing", { path: "" }, "INVALID_PARAM", "Missing required parameter 'path'."],
  ])("refuses %s", async (_, params, code, message) => {
    const { root } = fixture({ out: link("/etc"), ".git": { a: "a" }, ".env": "S=1", repo: { ".git": {} } });
    const response = await remove(root, params);
    expect(response.error).toEqual({ code, message });
    expect(readdirSync(root).sort()).toEqual([".env", ".git", "out", "repo"]);
  });

  it("refuses the project root by its absolute path", async () => {
    const { root } = fixture({ a: "a" });
    expect((await remove(root, { path: root, recursive: true })).error?.code).toBe("ACCESS_DENIED");
    expect(readdirSync(root)).toEqual(["a"]);
  });

  // Rule: A file that changed since a tool showed it is not deleted.
  it("refuses a file that changed since it was read, and deletes one that was never read", async () => {
    const { root, path } = fixture({ a: "a", b: "b" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    const tool = createDeleteTool({ sandbox, versions });
    const read = createReadTool({ sandbox, versions });
    await read.run({ path: "a" });
    appendFileSync(path("a"), "more");
    const refused = conformant(await tool.run({ path: "a" }));
    expect(refused.error).toEqual({ code: "CONFLICT", message: "'a' has been modified since it was read." });
    await read.run({ path: "a" });
    expect((await tool.run({ path: "a" })).status).toBe("success");
    expect((await tool.run({ path: "b" })).status).toBe("success");
  });

  it("counts for a dry run", async () => {
    const { root } = fixture({ dir: { a: "a" } });
    const response = await remove(root, { path: "dir", recursive: true, dry_run: true });
    expect(response).toMatchObject({ status: "partial", data: { applied: false, files: 1, bytes: 1 } });
    expect(response.text).toContain("Would delete 'dir' (1 files, 1 bytes).");
    expect(readdirSync(root)).toEqual(["dir"]);
  });

  it("deletes nothing that the user does not approve, or that changed while the user was asked", async () => {
    const { root, path } = fixture({ dir: { a: "a" } });
    const declined = await remove(root, { path: "dir", recursive: true }, { confirm: () => false });
    expect(declined.error?.code).toBe("ACCESS_DENIED");
    const changed = await remove(
      root,
      { path: "dir", recursive: true },
      {
        confirm: () => {
          writeFileSync(path("dir/theirs"), "theirs");
          return true;
        },
      },
    );
    expect(changed.error?.code).toBe("CONFLICT");
    expect(readdirSync(path("dir")).sort()).toEqual(["a", "theirs"]);
    expect(readdirSync(root)).toEqual(["dir"]);
  });

  it("is aborted before it begins, and not in the middle", async () => {
    const { root } = fixture({ dir: { a: "a" } });
    const controller = new AbortController();
    controller.abort();
    const tool = createDeleteTool({ projectRoot: root });
    const response = await tool.run({ path: "dir", recursive: true }, { signal: controller.signal });
    expect(response.error?.message).toBe("Aborted by the caller.");
    expect(readdirSync(root)).toEqual(["dir"]);
  });
});
