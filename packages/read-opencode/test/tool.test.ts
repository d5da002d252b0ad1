import { chmodSync, readdirSync, symlinkSync, truncateSync } from "node:fs";
import { isToolError } from "@fstools/protocol";
import { createFileVersions, createSandbox } from "@fstools/sandbox";
import { asNobody, fifo, fixture, link } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  AccessDeniedError,
  BinaryFileError,
  createOpencodeReadTool,
  FileNotFoundError,
  InvalidParamError,
  OffsetOutOfRangeError,
  OpencodeReadError,
  type OpencodeVersion,
  ReadFailedError,
} from "../src/index.ts";
import { referenceLines } from "./reference.ts";

const VERSIONS: readonly OpencodeVersion[] = ["1.2", "1.18"];
const PNG = Buffer.from("89504e470d0a1a0a0000", "hex");

/** What a call throws. */
async function thrown(call: Promise<unknown>): Promise<OpencodeReadError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpencodeReadError)) throw new TypeError(`Expected an OpencodeReadError, not ${String(error)}`);
  return error;
}

/** The text between `<content>` and the notice, and the notice. */
function contentOf(output: string): { readonly body: string; readonly notice: string } {
  const { groups = {} } = /<content>\n(?<body>[^]*)\n\n(?<notice>\([^\n]*\))\n<\/content>$/u.exec(output) ?? {};
  return { body: groups.body ?? "", notice: groups.notice ?? "" };
}

describe("createOpencodeReadTool", () => {
  it("looks like a tool of opencode", () => {
    const { root } = fixture();
    const tool = createOpencodeReadTool({ projectRoot: root });
    expect(tool.id).toBe("read");
    expect(tool.description).toMatch(/^Reads one file/u);
    expect(tool.parameters.parse({ filePath: "a" })).toEqual({ filePath: "a", offset: 1, limit: 2000 });
    expect(tool.jsonSchema).toMatchObject({ type: "object", required: ["filePath"] });
  });

  it("throws at once when it cannot work", () => {
    const { root, path } = fixture({ file: "" });
    expect(() => createOpencodeReadTool({ projectRoot: path("gone") })).toThrow(/projectRoot/u);
    expect(() => createOpencodeReadTool({ projectRoot: path("file") })).toThrow(/projectRoot/u);
    expect(() => createOpencodeReadTool({ projectRoot: root, workingDir: "/" })).toThrow(/workingDir/u);
    const version = "2.0" as OpencodeVersion;
    expect(() => createOpencodeReadTool({ projectRoot: root, version })).toThrow(
      "version must be one of 1.2, 1.18, but is 2.0.",
    );
  });
});

describe("parameters", () => {
  it.each<[unknown, string]>([
    [{}, "Missing required parameter 'filePath'."],
    [null, "Missing required parameter 'filePath'."],
    [{ filePath: null }, "Missing required parameter 'filePath'."],
    [{ filePath: "" }, "Missing required parameter 'filePath'."],
    [{ filePath: 7 }, "filePath must be a string."],
    [{ filePath: "a", offset: 0 }, "offset must be >= 1"],
    [{ filePath: "a", offset: -3 }, "offset must be >= 1"],
    [{ filePath: "a", offset: "two" }, "offset must be an integer >= 1"],
    [{ filePath: "a", offset: 1.5 }, "offset must be an integer >= 1"],
    [{ filePath: "a", limit: 0 }, "limit must be >= 1"],
    [{ filePath: "a", limit: "all" }, "limit must be an integer >= 1"],
    [{ filePath: "a", file_path: "b" }, "filePath is given twice, as 'filePath' and as 'file_path'."],
    [{ filePath: "a", ofset: 2 }, "Unknown parameter 'ofset'. Did you mean 'offset'?"],
    [{ filePath: "a", encoding: "x" }, "Unknown parameter 'encoding'. Known parameters: filePath, offset, limit."],
    [["a"], "Parameters must be an object."],
    ["a", "Parameters must be an object."],
  ])("refuses %j: %s", async (params, message) => {
    const error = await thrown(createOpencodeReadTool({ projectRoot: fixture({ a: "x" }).root }).execute(params));
    expect(error).toBeInstanceOf(InvalidParamError);
    expect(error).toMatchObject({ name: "InvalidParamError", code: "INVALID_PARAM", message });
    expect(error.hint).not.toBe("");
  });

  it("takes null for not given", async () => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ a: "x" }).root });
    const params = { filePath: "a", offset: null, limit: null };
    await expect(tool.execute(params)).resolves.toEqual(await tool.execute({ filePath: "a" }));
  });

  it("takes offset 0 for 1 in 1.18, for files and directories", async () => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ a: "x\ny" }).root, version: "1.18" });
    for (const filePath of ["a", "."]) {
      await expect(tool.execute({ filePath, offset: 0 })).resolves.toEqual(await tool.execute({ filePath }));
    }
    expect(await thrown(tool.execute({ filePath: "a", offset: -1 }))).toMatchObject({ message: "offset must be >= 1" });
  });
});

describe("1.18", () => {
  it("ignores parameters that it does not know, other names of the optional ones included", async () => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ a: "x\ny\n" }).root, version: "1.18" });
    const plain = await tool.execute({ filePath: "a" });
    const others = { verbose: true, start_line: 2, lines: 1, path: "b", file_path: "b", OFFSET: 2 };
    await expect(tool.execute({ filePath: "a", ...others })).resolves.toEqual(plain);
    await expect(tool.execute({ path: "a" })).resolves.toEqual(plain);
  });

  it("takes a limit of 0 for an empty page, of files and directories", async () => {
    const { root, path } = fixture({ a: "x\ny\n", empty: "" });
    const tool = createOpencodeReadTool({ projectRoot: root, version: "1.18" });
    const page = await tool.execute({ filePath: "a", limit: 0 });
    expect(page.output).toBe(
      `<path>${path("a")}</path>\n<type>file</type>\n<content>\n\n\n(Showing lines 1-0 of 2. Use offset=1 to continue.)\n</content>`,
    );
    expect(page.metadata).toMatchObject({ truncated: true, display: { lineStart: 1, lineEnd: 0, totalLines: 2 } });
    expect((await tool.execute({ filePath: "empty", limit: 0 })).output).toContain("(End of file - total 0 lines)");
    const listing = await tool.execute({ filePath: ".", limit: 0 });
    expect(listing.output).toContain(
      "<entries>\n\n\n(Showing 0 of 2 entries. Use 'offset' parameter to read beyond entry 1)\n</entries>",
    );
    expect(listing.metadata.display).toEqual({
      type: "directory",
      path: root,
      entries: [],
      offset: 1,
      totalEntries: 2,
      truncated: true,
    });
  });

  it("suggests names that contain the missing one or are contained in it, three in the order of the disk", async () => {
    const { root, path } = fixture({
      src: { "App.tsx": "", app: {}, "app.test.ts": "", "old-app.ts.bak": "", other: "" },
    });
    const tool = createOpencodeReadTool({ projectRoot: root, version: "1.18" });
    const similar = readdirSync(path("src")).filter((name) => {
      return name.toLowerCase().includes("app.ts") || "app.ts".includes(name.toLowerCase());
    });
    const error = await thrown(tool.execute({ filePath: "src/app.ts" }));
    expect(similar).toHaveLength(3);
    expect(error).toBeInstanceOf(FileNotFoundError);
    expect(error.message).toBe(
      `File not found: ${path("src/app.ts")}\n\nDid you mean one of these?\n${similar.map((name) => path("src", name)).join("\n")}`,
    );
    expect(error.suggestions).toEqual(similar.map((name) => path("src", name)));
    expect((await thrown(tool.execute({ filePath: "gone/app.ts" }))).message).toBe(
      `File not found: ${path("gone/app.ts")}`,
    );
  });

  it("does not suggest what the host denies", async () => {
    const { root } = fixture({ "key.pem": "" });
    const tool = createOpencodeReadTool({ projectRoot: root, version: "1.18", deny: ["*.pem"] });
    expect((await thrown(tool.execute({ filePath: "key" }))).suggestions).toEqual([]);
  });

  it("knows images and PDFs by their extension too: attached, or refused", async () => {
    const { root } = fixture({ "a.png": "text", "b.pdf": "", "c.svg": "<svg/>" });
    const attaching = createOpencodeReadTool({ projectRoot: root, version: "1.18", attachments: true });
    expect(await attaching.execute({ filePath: "a.png" })).toEqual({
      title: "a.png",
      output: "Image read successfully",
      metadata: { preview: "Image read successfully", truncated: false, loaded: [] },
      attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64,dGV4dA==" }],
    });
    expect(await attaching.execute({ filePath: "b.pdf" })).toMatchObject({ output: "PDF read successfully" });
    expect((await attaching.execute({ filePath: "c.svg" })).output).toContain("1: <svg/>");
    const refusing = createOpencodeReadTool({ projectRoot: root, version: "1.18" });
    expect(await thrown(refusing.execute({ filePath: "a.png" }))).toBeInstanceOf(BinaryFileError);
  });
});

describe("one project's tools", () => {
  it("share a sandbox and what is known of files", async () => {
    const { root } = fixture({ a: "x", "b.zip": "", "c.pdf": "%PDF-1.7" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    const tool = createOpencodeReadTool({ sandbox, versions, attachments: true });
    await tool.execute({ filePath: "a" });
    await tool.execute({ filePath: "c.pdf" });
    await thrown(tool.execute({ filePath: "b.zip" }));
    expect(versions.known(await sandbox.resolve("a"))?.how).toBe("read");
    expect(versions.known(await sandbox.resolve("c.pdf"))?.how).toBe("read");
    expect(versions.known(await sandbox.resolve("b.zip"))).toBeUndefined();
  });

  it.runIf(process.platform === "linux")("reads a file that is shorter than its size says", async () => {
    const tool = createOpencodeReadTool({ projectRoot: "/sys/kernel/mm/transparent_hugepage" });
    expect((await tool.execute({ filePath: "enabled" })).output).toContain("1: ");
  });
});

describe("files", () => {
  it("prints 1.18's notices and line ends", async () => {
    const { root, path } = fixture({ "a.txt": "one\r\ntwo\r\nthree\r\n" });
    const tool = createOpencodeReadTool({ projectRoot: root, version: "1.18" });
    const { output, metadata } = await tool.execute({ filePath: "a.txt", limit: 2 });
    expect(output).toBe(
      [
        `<path>${path("a.txt")}</path>`,
        "<type>file</type>",
        "<content>",
        "1: one",
        "2: two",
        "",
        "(Showing lines 1-2 of 3. Use offset=3 to continue.)",
        "</content>",
      ].join("\n"),
    );
    expect(metadata).toEqual({
      preview: "one\ntwo",
      truncated: true,
      loaded: [],
      display: {
        type: "file",
        path: path("a.txt"),
        text: "one\ntwo",
        lineStart: 1,
        lineEnd: 2,
        totalLines: 3,
        truncated: true,
      },
    });
    expect((await tool.execute({ filePath: "a.txt", offset: 3 })).output).toContain(
      "3: three\n\n(End of file - total 3 lines)",
    );
  });

  it("caps a page of 1.18 at 50 KB", async () => {
    const { root } = fixture({ "wide.txt": `${"x".repeat(99)}\n`.repeat(1000) });
    const tool = createOpencodeReadTool({ projectRoot: root, version: "1.18" });
    const { output, metadata } = await tool.execute({ filePath: "wide.txt" });
    expect(contentOf(output).notice).toBe("(Output capped at 50 KB. Showing lines 1-512. Use offset=513 to continue.)");
    expect(metadata.truncated).toBe(true);
  });

  it.each<[OpencodeVersion, string]>([
    ["1.2", "<content>\n1: \n\n(End of file - total 1 lines)\n</content>"],
    ["1.18", "<content>\n\n\n(End of file - total 0 lines)\n</content>"],
  ])("reads an empty file in %s", async (version, end) => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ empty: "" }).root, version });
    const { output, metadata } = await tool.execute({ filePath: "empty" });
    expect(output.endsWith(end)).toBe(true);
    expect(metadata).toMatchObject({ preview: "", truncated: false });
    expect("display" in metadata).toBe(version === "1.18");
  });

  it.each<[OpencodeVersion, string, number, number]>([
    ["1.2", "", 2, 1],
    ["1.2", "a\n", 3, 2],
    ["1.18", "", 2, 0],
    ["1.18", "a\n", 2, 1],
  ])("refuses in %s for %j the offset %i: there are %i lines", async (version, text, offset, total) => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ file: text }).root, version });
    const error = await thrown(tool.execute({ filePath: "file", offset }));
    expect(error).toBeInstanceOf(OffsetOutOfRangeError);
    expect(error.message).toBe(`Offset ${offset} is out of range for this file (${total} lines)`);
  });

  it("previews the first 20 lines as they are shown, without numbers", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `row ${index + 1}`);
    const { root } = fixture({ "rows.txt": lines.join("\n"), "long.txt": "x".repeat(3000) });
    const tool = createOpencodeReadTool({ projectRoot: root });
    const { metadata } = await tool.execute({ filePath: "rows.txt", offset: 6 });
    expect(metadata).toEqual({ preview: lines.slice(5, 25).join("\n"), truncated: false });
    expect((await tool.execute({ filePath: "long.txt" })).metadata.preview).toBe(`${"x".repeat(2000)}...`);
  });

  it.each(VERSIONS)("drops a byte order mark, also one that is all of the file, in %s", async (version) => {
    const { root } = fixture({ bom: "\uFEFFa\n\uFEFFb", only: "\uFEFF", empty: "" });
    const tool = createOpencodeReadTool({ projectRoot: root, version });
    expect(contentOf((await tool.execute({ filePath: "bom" })).output).body).toBe("1: a\n2: \uFEFFb");
    const [only, empty] = await Promise.all(["only", "empty"].map((filePath) => tool.execute({ filePath })));
    expect(only?.output.replace("only", "empty")).toBe(empty?.output);
  });

  // Rule: Invalid UTF-8 is shown with U+FFFD.
  it("shows bytes that are not UTF-8 as U+FFFD", async () => {
    const { root } = fixture({ "latin1.txt": Buffer.from("caf\xe9\nna\xefve", "latin1") });
    const { output } = await createOpencodeReadTool({ projectRoot: root }).execute({ filePath: "latin1.txt" });
    expect(contentOf(output).body).toBe("1: caf\uFFFD\n2: na\uFFFDve");
  });

  it("tests for binary content in the first 4096 bytes only", async () => {
    const { root } = fixture({
      early: Buffer.concat([Buffer.alloc(4095, "a"), Buffer.of(0)]),
      late: Buffer.concat([Buffer.alloc(4096, "a"), Buffer.of(0)]),
    });
    const tool = createOpencodeReadTool({ projectRoot: root });
    expect(await thrown(tool.execute({ filePath: "early" }))).toBeInstanceOf(BinaryFileError);
    await expect(tool.execute({ filePath: "late" })).resolves.toMatchObject({ title: "late" });
  });

  it.runIf(process.platform === "linux")("reads a file that the kernel makes up", async () => {
    const tool = createOpencodeReadTool({ projectRoot: "/proc/sys/kernel" });
    const { output } = await tool.execute({ filePath: "ostype" });
    expect(contentOf(output).body).toMatch(/^1: \w+/u);
  });

  // Rule: Following the printed notices reads the whole file.
  it.each(VERSIONS)("reads the whole file when its notices are followed, in %s", async (version) => {
    const line = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom("", "\r", "漢字", "x".repeat(700)));
    const file = fc.array(line, { maxLength: 120 }).map((lines) => Buffer.from(`text ${lines.join("\n")}`));
    const { root, write, cleanup } = fixture();
    const tool = createOpencodeReadTool({ projectRoot: root, version });
    await fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 60 }), async (content, limit) => {
        fc.pre(!content.subarray(0, 4096).includes(0));
        write({ file: content });
        const bodies: string[] = [];
        let offset: number | undefined = 1;
        while (offset !== undefined) {
          const { output, metadata }: { output: string; metadata: { truncated: boolean } } = await tool.execute({
            filePath: "file",
            offset,
            limit,
          });
          const { body, notice } = contentOf(output);
          bodies.push(body);
          const next: string | undefined = /beyond line (?<last>\d+)|offset=(?<next>\d+)/u.exec(notice)?.[0];
          expect(metadata.truncated).toBe(next !== undefined);
          const number = Number(/\d+/u.exec(next ?? "")?.[0]);
          offset = next === undefined ? undefined : next.startsWith("beyond") ? number + 1 : number;
        }
        const expected = referenceLines(content, version).map((text, index) => `${index + 1}: ${text}`);
        expect(bodies.join("\n")).toBe(expected.join("\n"));
      }),
      { numRuns: 60 },
    );
    cleanup();
  });
});

describe("directories", () => {
  it("says which offset goes on", async () => {
    const { root } = fixture(Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, ""])));
    const tool = createOpencodeReadTool({ projectRoot: root });
    const { title, output, metadata } = await tool.execute({ filePath: ".", offset: 2, limit: 2 });
    expect(title).toBe(".");
    expect(output).toContain(
      "<entries>\nb\nc\n\n(Showing 2 of 5 entries. Use 'offset' parameter to read beyond entry 4)\n</entries>",
    );
    expect(metadata).toEqual({ preview: "b\nc", truncated: true });
    expect((await tool.execute({ filePath: ".", offset: 4 })).output).toContain("d\ne\n\n(5 entries)");
  });

  it("gives an empty page, not an error, past the end", async () => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ a: "" }).root });
    const { output, metadata } = await tool.execute({ filePath: ".", offset: 9 });
    expect(output).toContain("<entries>\n\n\n(1 entries)\n</entries>");
    expect(metadata.truncated).toBe(false);
  });
});

describe("paths", () => {
  it("shows the real path of what a link leads to", async () => {
    const { root, path } = fixture({ src: { "a.ts": "x" }, current: link("src"), "b.ts": link("current/a.ts") });
    const tool = createOpencodeReadTool({ projectRoot: root });
    for (const filePath of ["b.ts", "current/a.ts", path("current", "a.ts")]) {
      const { title, output } = await tool.execute({ filePath });
      expect(title).toBe("src/a.ts");
      expect(output).toContain(`<path>${path("src", "a.ts")}</path>`);
    }
  });

  it("tells a binary file by the extension of its real path", async () => {
    const { root, path } = fixture({ "a.txt": "x", "b.zip": "x", "a.zip": link("a.txt"), "b.txt": link("b.zip") });
    const tool = createOpencodeReadTool({ projectRoot: root });
    await expect(tool.execute({ filePath: "a.zip" })).resolves.toMatchObject({ title: "a.txt" });
    const error = await thrown(tool.execute({ filePath: "b.txt" }));
    expect(error.message).toBe(`Cannot read binary file: ${path("b.zip")}`);
  });

  it("works in a project root that is itself a link", async () => {
    const { path } = fixture({ real: { "a.ts": "x" }, alias: link("real") });
    const tool = createOpencodeReadTool({ projectRoot: path("alias") });
    for (const filePath of ["a.ts", path("alias", "a.ts"), path("real", "a.ts")]) {
      expect((await tool.execute({ filePath })).output).toContain(`<path>${path("real", "a.ts")}</path>`);
    }
  });

  it("escapes a name that would forge a line, wherever it shows up", async () => {
    const name = "a\n</path>\n.txt".replaceAll("/", "");
    const { root } = fixture({ [name]: "x", [`${name}.zip`]: "x" });
    const tool = createOpencodeReadTool({ projectRoot: root });
    const { title, output } = await tool.execute({ filePath: name });
    expect(title).toBe("a\\n<path>\\n.txt");
    expect(output.split("\n")[0]).toBe(`<path>${root}/a\\n<path>\\n.txt</path>`);
    expect((await thrown(tool.execute({ filePath: `${name}.zip` }))).message.split("\n")).toHaveLength(1);
    const missing = await thrown(tool.execute({ filePath: "a\n<path>\n.tx" }));
    expect(missing.message.split("\n").slice(0, 4)).toEqual([
      `File not found: ${root}/a\\n<path>\\n.tx`,
      "",
      "Did you mean one of these?",
      `${root}/a\\n<path>\\n.txt`,
    ]);
  });

  it.each([
    ["..", "the way up"],
    ["../outside.txt", "a file above"],
    ["/etc/passwd", "an absolute path elsewhere"],
    ["sub/../../outside.txt", "a way up through a directory"],
    ["to-outside", "a link to a file outside"],
    ["to-outside-directory/passwd", "a path through a link outside"],
    ["to-missing-outside", "a link to nothing outside"],
    [".env", "a denied file"],
    ["to-env", "a link to a denied file"],
  ])("denies %s, %s", async (filePath) => {
    const { path } = fixture({
      "outside.txt": "secret",
      root: {
        sub: {},
        ".env": "secret",
        "to-env": link(".env"),
        "to-outside": link("../outside.txt"),
        "to-outside-directory": link("/etc"),
        "to-missing-outside": link("/nowhere/at/all"),
      },
    });
    const tool = createOpencodeReadTool({ projectRoot: path("root"), deny: ["**/.env"] });
    const error = await thrown(tool.execute({ filePath }));
    expect(error).toBeInstanceOf(AccessDeniedError);
    expect(error).toMatchObject({
      name: "AccessDeniedError",
      code: "ACCESS_DENIED",
      message: "Access denied. Path must be within project root.",
    });
  });

  it("denies the neighbour whose name begins like the root", async () => {
    const { path } = fixture({ root: {}, "root-evil": { "a.txt": "secret" } });
    const tool = createOpencodeReadTool({ projectRoot: path("root") });
    expect(await thrown(tool.execute({ filePath: path("root-evil", "a.txt") }))).toBeInstanceOf(AccessDeniedError);
  });
});

describe("errors", () => {
  it("names the absolute path from the working directory, with suggestions from there", async () => {
    const { root, path } = fixture({ app: { "main.tsx": "" }, "main.js": "" });
    const tool = createOpencodeReadTool({ projectRoot: root, workingDir: "app" });
    const error = await thrown(tool.execute({ filePath: "./x/../main.ts" }));
    expect(error).toBeInstanceOf(FileNotFoundError);
    const message = `File not found: ${path("app", "main.ts")}`;
    expect(error.message.startsWith(message)).toBe(true);
    const plain = await thrown(tool.execute({ filePath: "zzz" }));
    expect(plain.message).toBe(`File not found: ${path("app", "zzz")}`);
    expect(plain.hint).toBe(`Check the path, or call read with filePath='${path("app")}' to see what is there.`);
  });

  it("looks for a relative path in the working directory only", async () => {
    const { root, path } = fixture({ app: {}, "main.js": "" });
    const tool = createOpencodeReadTool({ projectRoot: root, workingDir: "app" });
    const error = await thrown(tool.execute({ filePath: "main.js" }));
    expect(error.message).toBe(`File not found: ${path("app", "main.js")}`);
  });

  it("treats a path below a file as a missing file", async () => {
    const { root, path } = fixture({ "a.txt": "" });
    const error = await thrown(createOpencodeReadTool({ projectRoot: root }).execute({ filePath: "a.txt/b" }));
    expect(error).toBeInstanceOf(FileNotFoundError);
    expect(error.message).toMatch(`File not found: ${path("a.txt", "b")}`);
  });

  it("explains what has no meaning here, such as ~", async () => {
    const error = await thrown(
      createOpencodeReadTool({ projectRoot: fixture().root }).execute({ filePath: "~/a.txt" }),
    );
    expect(error.hint).toMatch(/^'~' is not expanded/u);
  });

  it("clips a path that the caller made long", async () => {
    const { root } = fixture();
    const filePath = `gone/${"x/".repeat(1500)}`;
    const error = await thrown(createOpencodeReadTool({ projectRoot: root }).execute({ filePath }));
    expect(error).toBeInstanceOf(FileNotFoundError);
    expect(error.message.length).toBeLessThan(root.length + 250);
  });

  it("does not clip the project root", async () => {
    const { path } = fixture({ ["x".repeat(250)]: {} });
    const projectRoot = path("x".repeat(250));
    const error = await thrown(createOpencodeReadTool({ projectRoot }).execute({ filePath: "gone" }));
    expect(error.message).toBe(`File not found: ${projectRoot}/gone`);
  });

  it.each([
    ["pipe", "'pipe' is not a regular file."],
    ["a\0b", "'a\\u0000b' is not a valid path (it contains a NUL byte)."],
    ["x".repeat(300), `'${"x".repeat(200)}…' is not a valid path (ENAMETOOLONG: name too long).`],
    ["loop", "'loop' is not a valid path (ELOOP: too many symbolic links encountered)."],
  ])("refuses %j: %s", async (filePath, message) => {
    const { root, path } = fixture({ pipe: fifo() });
    symlinkSync("loop", path("loop"));
    const error = await thrown(createOpencodeReadTool({ projectRoot: root }).execute({ filePath }));
    expect(error).toBeInstanceOf(InvalidParamError);
    expect(error).toMatchObject({ code: "INVALID_PARAM", message });
  });

  it("says that permission is denied, with the caller's path", async () => {
    const { root, path } = fixture({ "locked.txt": "x", locked: {} });
    chmodSync(path("locked.txt"), 0o000);
    chmodSync(path("locked"), 0o000);
    const tool = createOpencodeReadTool({ projectRoot: root });
    await asNobody(async () => {
      for (const filePath of ["./locked.txt", "./locked"]) {
        const error = await thrown(tool.execute({ filePath }));
        expect(error).toBeInstanceOf(ReadFailedError);
        expect(error).toMatchObject({
          code: "PERMISSION_DENIED",
          message: `Permission denied reading '${filePath}'.`,
        });
      }
    });
  });

  it("are all errors of the protocol", async () => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ "a.zip": "" }).root });
    for (const params of [{}, { filePath: "gone" }, { filePath: ".." }, { filePath: "a.zip" }]) {
      expect(isToolError(await thrown(tool.execute(params)))).toBe(true);
    }
  });

  it("does not show an unexpected exception, and reports it to the host", async () => {
    const onInternalError = vi.fn();
    const { root } = fixture({ a: "", b: "" });
    const tool = createOpencodeReadTool({ projectRoot: root, version: "1.18", onInternalError });
    const bug = new RangeError("/secret/path");
    const localeCompare = vi.spyOn(String.prototype, "localeCompare").mockImplementation(() => {
      throw bug;
    });
    const error = await thrown(tool.execute({ filePath: "." }));
    localeCompare.mockRestore();
    expect(error).toBeInstanceOf(ReadFailedError);
    expect(error).toMatchObject({ code: "INTERNAL_ERROR", message: "Unexpected internal error in read." });
    expect(onInternalError).toHaveBeenCalledWith(bug, { tool: "read" });
  });
});

describe("signal", () => {
  /** A file that takes several slices of the event loop to count; most of it is a hole. */
  const big = () => {
    const files = fixture({ "big.txt": "x\n".repeat(100_000) });
    truncateSync(files.path("big.txt"), 1024 ** 3);
    return files;
  };

  it("throws before any work when it is already aborted", async () => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ a: "x" }).root });
    const filePath = vi.fn(() => "a");
    const params = Object.defineProperty({}, "filePath", { enumerable: true, get: filePath });
    const error = await thrown(tool.execute(params, { signal: AbortSignal.abort() }));
    expect(filePath).not.toHaveBeenCalled();
    expect(error).toBeInstanceOf(ReadFailedError);
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", message: "Aborted by the caller." });
  });

  it.each(["a", "."])(
    "throws for %s when the abort comes after the call began, however short the call",
    async (filePath) => {
      const tool = createOpencodeReadTool({ projectRoot: fixture({ a: "x" }).root });
      const controller = new AbortController();
      const call = tool.execute({ filePath }, { signal: controller.signal });
      controller.abort();
      expect(await thrown(call)).toMatchObject({ code: "EXECUTION_ERROR", message: "Aborted by the caller." });
    },
  );

  it("stops a long count soon", async () => {
    const tool = createOpencodeReadTool({ projectRoot: big().root, version: "1.18" });
    const controller = new AbortController();
    setImmediate(() => {
      controller.abort();
    });
    const error = await thrown(tool.execute({ filePath: "big.txt", limit: 1 }, { signal: controller.signal }));
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", message: "Aborted by the caller." });
  });

  it("is not needed for the event loop to turn during a long count", async () => {
    const tool = createOpencodeReadTool({ projectRoot: big().root, version: "1.18" });
    let turns = 0;
    const turn = () => {
      turns += 1;
      handle = setImmediate(turn);
    };
    let handle = setImmediate(turn);
    await tool.execute({ filePath: "big.txt", limit: 1 });
    clearImmediate(handle);
    expect(turns).toBeGreaterThan(0);
  });

  it("calls a timeout a timeout", async () => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ a: "x" }).root });
    const signal = AbortSignal.timeout(1);
    await vi.waitUntil(() => signal.aborted);
    const error = await thrown(tool.execute({ filePath: "a" }, { signal }));
    expect(error).toMatchObject({ code: "TIMEOUT", message: "Aborted by the caller." });
  });
});

describe("attachments", () => {
  // Rule: Attachments are recognised by magic bytes, before the extension test.
  it.each([
    ["photo.png", PNG, "image/png", "Image read successfully"],
    ["misnamed.txt", PNG, "image/png", "Image read successfully"],
    ["paper.pdf", Buffer.from("%PDF-1.7\n"), "application/pdf", "PDF read successfully"],
  ])("come back for %s by their content", async (name, content, mime, message) => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ [name]: content }).root, attachments: true });
    expect(await tool.execute({ filePath: name })).toEqual({
      title: name,
      output: message,
      metadata: { preview: message, truncated: false },
      attachments: [{ type: "file", mime, url: `data:${mime};base64,${content.toString("base64")}` }],
    });
  });

  it("do not turn other files into attachments", async () => {
    const { root } = fixture({ "fake.png": "just text", "a.txt": "text" });
    const tool = createOpencodeReadTool({ projectRoot: root, attachments: true });
    expect(await thrown(tool.execute({ filePath: "fake.png" }))).toBeInstanceOf(BinaryFileError);
    expect(await tool.execute({ filePath: "a.txt" })).not.toHaveProperty("attachments");
  });

  it.each(VERSIONS)("are off by default, and images are binary, in %s", async (version) => {
    const tool = createOpencodeReadTool({ projectRoot: fixture({ "photo.png": PNG }).root, version });
    expect(await thrown(tool.execute({ filePath: "photo.png" }))).toBeInstanceOf(BinaryFileError);
  });
});
