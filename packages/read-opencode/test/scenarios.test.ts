import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { BinaryFileError, createOpencodeReadTool, FileNotFoundError, OffsetOutOfRangeError } from "../src/index.ts";

describe("the ten scenarios of the design", () => {
  it("1. reads a file", async () => {
    const { root, path } = fixture({ "hello.py": "import os\nimport sys\ndef main():" });
    expect(await createOpencodeReadTool({ projectRoot: root }).execute({ filePath: "hello.py" })).toEqual({
      title: "hello.py",
      output: [
        `<path>${path("hello.py")}</path>`,
        "<type>file</type>",
        "<content>",
        "1: import os",
        "2: import sys",
        "3: def main():",
        "",
        "(End of file - total 3 lines)",
        "</content>",
      ].join("\n"),
      metadata: { preview: "import os\nimport sys\ndef main():", truncated: false },
    });
  });

  it("2. reads a directory", async () => {
    const { root, path } = fixture({ src: { subdir: {}, "file1.py": "", "file2.txt": "" } });
    expect(await createOpencodeReadTool({ projectRoot: root }).execute({ filePath: "src/" })).toEqual({
      title: "src",
      output: [
        `<path>${path("src")}</path>`,
        "<type>directory</type>",
        "<entries>",
        "file1.py",
        "file2.txt",
        "subdir/",
        "",
        "(3 entries)",
        "</entries>",
      ].join("\n"),
      metadata: { preview: "file1.py\nfile2.txt\nsubdir/", truncated: false },
    });
  });

  it("3. honours offset and limit", async () => {
    const { root } = fixture({ "large.txt": Array.from({ length: 200 }, (_, index) => `row ${index + 1}`).join("\n") });
    const { output, metadata } = await createOpencodeReadTool({ projectRoot: root }).execute({
      filePath: "large.txt",
      offset: 100,
      limit: 50,
    });
    expect(output).toContain("<content>\n100: row 100\n101: row 101\n");
    expect(output).toMatch(
      /\n149: row 149\n\n\(File has more lines\. Use 'offset' parameter to read beyond line 149\)\n<\/content>$/u,
    );
    expect(metadata.truncated).toBe(true);
  });

  it("4. throws for a file that does not exist", async () => {
    const { root, path } = fixture({ "config.tsx": "", "config.js": "", "config.json": "", "README.md": "" });
    const failure = createOpencodeReadTool({ projectRoot: root }).execute({ filePath: "config.ts" });
    await expect(failure).rejects.toBeInstanceOf(FileNotFoundError);
    await expect(failure).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: [
        `File not found: ${path("config.ts")}`,
        "",
        "Did you mean one of these?",
        path("config.tsx"),
        path("config.js"),
        path("config.json"),
      ].join("\n"),
    });
  });

  it("5. throws for a binary file", async () => {
    const { root, path } = fixture({ "photo.png": "by its name", "data.txt": Uint8Array.of(0x61, 0x00, 0x62) });
    const tool = createOpencodeReadTool({ projectRoot: root });
    for (const name of ["photo.png", "data.txt"]) {
      const failure = tool.execute({ filePath: name });
      await expect(failure).rejects.toBeInstanceOf(BinaryFileError);
      await expect(failure).rejects.toMatchObject({
        code: "BINARY_FILE",
        message: `Cannot read binary file: ${path(name)}`,
      });
    }
  });

  it("6. cuts a long line", async () => {
    const { root } = fixture({ "long.txt": `${"x".repeat(2500)}\nshort` });
    const { output } = await createOpencodeReadTool({ projectRoot: root }).execute({ filePath: "long.txt" });
    expect(output).toContain(`<content>\n1: ${"x".repeat(2000)}...\n2: short\n`);
  });

  it("7. says that a large file goes on", async () => {
    const { root } = fixture({ "many.txt": "line\n".repeat(2500), "wide.txt": `${"x".repeat(99)}\n`.repeat(1000) });
    const tool = createOpencodeReadTool({ projectRoot: root });
    const many = await tool.execute({ filePath: "many.txt" });
    expect(many.output).toMatch(
      /\n2000: line\n\n\(File has more lines\. Use 'offset' parameter to read beyond line 2000\)\n<\/content>$/u,
    );
    const wide = await tool.execute({ filePath: "wide.txt" });
    expect(wide.output).toMatch(
      /\n512: x{99}\n\n\(Output truncated at 51200 bytes\. Use 'offset' parameter to read beyond line 512\)\n<\/content>$/u,
    );
    expect([many.metadata.truncated, wide.metadata.truncated]).toEqual([true, true]);
  });

  it("8. takes a relative path", async () => {
    const { root, path } = fixture({ packages: { app: { "main.ts": "from the working directory" } }, "main.ts": "no" });
    const tool = createOpencodeReadTool({ projectRoot: root, workingDir: path("packages", "app") });
    const { title, output } = await tool.execute({ filePath: "main.ts" });
    expect(title).toBe("packages/app/main.ts");
    expect(output).toContain(`<path>${path("packages", "app", "main.ts")}</path>`);
    expect(output).toContain("1: from the working directory");
  });

  it("9. takes an absolute path", async () => {
    const { root, path } = fixture({ src: { "main.ts": "found" } });
    const { title, output } = await createOpencodeReadTool({ projectRoot: root }).execute({
      filePath: path("src", "main.ts"),
    });
    expect(title).toBe("src/main.ts");
    expect(output).toContain("1: found");
  });

  it("10. throws for an offset out of range", async () => {
    const { root } = fixture({ "short.txt": "a\nb\nc" });
    const failure = createOpencodeReadTool({ projectRoot: root }).execute({ filePath: "short.txt", offset: 10 });
    await expect(failure).rejects.toBeInstanceOf(OffsetOutOfRangeError);
    await expect(failure).rejects.toMatchObject({
      code: "INVALID_PARAM",
      message: "Offset 10 is out of range for this file (3 lines)",
    });
  });
});
