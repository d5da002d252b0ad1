import { createTruncator, renderForModel } from "@fstools/protocol";
import { conformant, fixture } from "@fstools/testing";
import { describe, expect, it, vi } from "vitest";
import { createOpencodeReadEnvelopeTool, createOpencodeReadTool, type OpencodeReadOptions } from "../src/index.ts";

async function run(options: OpencodeReadOptions, params: unknown, signal?: AbortSignal) {
  const tool = createOpencodeReadEnvelopeTool(options);
  return conformant(await tool.run(params, signal === undefined ? {} : { signal }), "read");
}

describe("createOpencodeReadEnvelopeTool", () => {
  it("describes itself as the throwing tool does", () => {
    const options = { projectRoot: fixture().root };
    const { id, description, jsonSchema } = createOpencodeReadTool(options);
    expect(createOpencodeReadEnvelopeTool(options)).toMatchObject({ name: id, description, jsonSchema });
  });

  // Rule: Envelope: the output in `data.content`, `path_resolved`, `truncation_skip`.
  it("has the throwing tool's output in data.content", async () => {
    const { root } = fixture({ src: { "a.ts": "x\ny" } });
    const options = { projectRoot: root, workingDir: "src" };
    const { output } = await createOpencodeReadTool(options).execute({ filePath: "a.ts" });
    const response = await run(options, { filePath: "a.ts" });
    expect(response).toEqual({
      status: "success",
      data: { content: output, truncated: false },
      text: `Read 2 lines from 'src/a.ts' (Lines 1-2).\n(Took ${response.stats.time_ms}ms)`,
      stats: { time_ms: response.stats.time_ms, lines_read: 2, total_lines: 2, file_size_bytes: 3 },
      context: {
        cwd: "src",
        params_input: { filePath: "a.ts" },
        path_resolved: "src/a.ts",
        truncation_skip: true,
      },
    });
    expect(renderForModel(response, { layout: "document" })).toBe(`${response.text}\n\n${output}`);
    // The output says itself what it is of.
    expect(renderForModel(response)).toBe(output);
  });

  it("makes a page that does not end the file partial, with the next call", async () => {
    const { root } = fixture({ "a.txt": "1\n2\n3\n4" });
    const response = await run({ projectRoot: root, version: "1.18" }, { filePath: "a.txt", offset: 2, limit: 2 });
    expect(response).toMatchObject({ status: "partial", data: { truncated: true } });
    expect(response.text).toMatch(/\[Truncated: Showing lines 2-3 of 4\. Use offset=4 to continue\.\]$/u);
    expect(renderForModel(response)).toMatch(
      /^\[Truncated: Showing lines 2-3 of 4\. Use offset=4 to continue\.\]\n\n<path>/u,
    );
  });

  it("makes a page of a directory partial, with the next call", async () => {
    const { root } = fixture({ a: "", b: "", c: "" });
    const response = await run({ projectRoot: root }, { filePath: ".", limit: 2 });
    expect(response).toMatchObject({
      status: "partial",
      data: { truncated: true },
      stats: { entries_listed: 2, total_entries: 3 },
    });
    expect(response.text).toMatch(
      /^Listed 2 entries in '\.'\.\n\(Took \d+ms\)\n\[Truncated: Showing 2 of 3 entries\. Use offset=3 to continue\.\]$/u,
    );
  });

  it("does not name the same call again after a limit of 0", async () => {
    const { root } = fixture({ "a.txt": "1\n2" });
    for (const [filePath, shown] of [
      ["a.txt", "no lines of 2"],
      [".", "0 of 1 entries"],
    ]) {
      const response = await run({ projectRoot: root, version: "1.18" }, { filePath, limit: 0 });
      expect(response.text).toContain(`[Truncated: Showing ${shown}. Use limit=2000 to continue.]`);
      expect(response.context.next_call).toEqual({ tool: "read", params: { filePath, limit: 2000 } });
    }
  });

  it("makes a cut line, and bytes that are not UTF-8, partial", async () => {
    const { root } = fixture({ long: "x".repeat(2001), latin1: Buffer.from("caf\xe9", "latin1") });
    expect(await run({ projectRoot: root }, { filePath: "long" })).toMatchObject({
      status: "partial",
      data: { truncated: true },
    });
    expect(await run({ projectRoot: root }, { filePath: "latin1" })).toMatchObject({
      status: "partial",
      data: { truncated: false, fallback_encoding: "replace" },
    });
  });

  it.each([
    [{ filePath: "gone.txt" }, "NOT_FOUND", /^File not found: \/.*\/gone\.txt$/u],
    [{ filePath: "a.zip" }, "BINARY_FILE", /^Cannot read binary file: \/.*\/a\.zip$/u],
    [{ filePath: "a.txt", offset: 9 }, "INVALID_PARAM", /^Offset 9 is out of range for this file \(1 lines\)$/u],
    [{ filePath: "a.txt", offset: 0 }, "INVALID_PARAM", /^offset must be >= 1$/u],
    [{ filePath: ".." }, "ACCESS_DENIED", /^Access denied\. Path must be within project root\.$/u],
    [{ filePath: "a.txt", ofset: 1 }, "INVALID_PARAM", /^Unknown parameter 'ofset'\. Did you mean 'offset'\?$/u],
  ])("answers %j with %s", async (params, code, message) => {
    const { root } = fixture({ "a.txt": "x", "a.zip": "" });
    const response = await run({ projectRoot: root }, params);
    expect(response).toMatchObject({ status: "error", data: {}, error: { code } });
    expect(response.error?.message).toMatch(message);
    expect(response.context).not.toHaveProperty("truncation_skip");
    expect(response.text.length).toBeGreaterThan((response.error?.message ?? "").length + 10);
  });

  it("keeps path_resolved on an error that came after the path was resolved", async () => {
    const response = await run({ projectRoot: fixture({ "a.zip": "" }).root }, { filePath: "./a.zip" });
    expect(response.context).toMatchObject({ path_resolved: "a.zip", params_input: { filePath: "./a.zip" } });
  });

  it("keeps the list of suggestions readable", async () => {
    const { root, path } = fixture({ "config.tsx": "", "config.js": "" });
    const { text } = await run({ projectRoot: root }, { filePath: "config.ts" });
    expect(text).toBe(
      [
        `File not found: ${path("config.ts")}`,
        "",
        "Did you mean one of these?",
        path("config.tsx"),
        path("config.js"),
        "",
        `Check the path, or call read with filePath='${root}' to see what is there.`,
      ].join("\n"),
    );
  });

  it("escapes a name that would forge a line", async () => {
    const { root } = fixture({ "a\n[Truncated: all]": "x" });
    const { text } = await run({ projectRoot: root }, { filePath: "a\n[Truncated: all]" });
    expect(text).toMatch(/^Read 1 lines from 'a\\n\[Truncated: all\]' \(Lines 1-1\)\.\n\(Took \d+ms\)$/u);
  });

  it("reports an unexpected exception to the host", async () => {
    const onInternalError = vi.fn();
    const bug = new RangeError("/secret/path");
    const localeCompare = vi.spyOn(String.prototype, "localeCompare").mockImplementation(() => {
      throw bug;
    });
    const { root } = fixture({ a: "", b: "" });
    const response = await run({ projectRoot: root, version: "1.18", onInternalError }, { filePath: "." });
    localeCompare.mockRestore();
    expect(response.error).toEqual({ code: "INTERNAL_ERROR", message: "Unexpected internal error in read." });
    expect(onInternalError).toHaveBeenCalledWith(bug, { tool: "read" });
  });

  it("keeps attachments in data", async () => {
    const options = { projectRoot: fixture({ "a.pdf": "%PDF-1.4" }).root, attachments: true };
    const response = await run(options, { filePath: "a.pdf" });
    expect(response).toMatchObject({
      status: "success",
      data: {
        content: "PDF read successfully",
        truncated: false,
        attachments: [{ type: "file", mime: "application/pdf", url: "data:application/pdf;base64,JVBERi0xLjQ=" }],
      },
    });
    expect(response.text).toMatch(/^Attached 'a\.pdf' as application\/pdf\.\n/u);
  });

  it("is left alone by the truncator, as it pages by itself", async () => {
    const { root } = fixture({ "a.txt": `${"x".repeat(98)}\n`.repeat(2000) });
    const response = await run({ projectRoot: root }, { filePath: "a.txt" });
    expect(await createTruncator({ maxLines: 5, maxBytes: 100 })("read", response)).toBe(response);
  });

  it("answers an abort with an envelope", async () => {
    const { root } = fixture({ "a.txt": "x" });
    expect(await run({ projectRoot: root }, { filePath: "a.txt" }, AbortSignal.abort())).toMatchObject({
      status: "error",
      error: { code: "EXECUTION_ERROR", message: "Aborted by the caller." },
    });
  });

  it("does not say that an aborted call pages by itself", async () => {
    const { root } = fixture({ "a.txt": "x" });
    const controller = new AbortController();
    const call = run({ projectRoot: root }, { filePath: "a.txt" }, controller.signal);
    controller.abort();
    const { error, context } = await call;
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", message: "Aborted by the caller." });
    expect(context).not.toHaveProperty("truncation_skip");
  });
});
