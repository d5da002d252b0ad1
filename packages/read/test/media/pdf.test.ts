import { Buffer } from "node:buffer";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { cpSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";
import { createSandbox } from "@fstools/sandbox";
import { createTextReader, TextError } from "@fstools/text";
import { conformant, fixture, serveOnLoopback, turnsDuring } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createReadTool, type ReadToolOptions } from "../../src/index.ts";
import { createPdfReader } from "../../src/media/pdf.ts";
import { compressedPdf, pdf, stream } from "./pdf-writer.ts";

/** A folder with a PDF that has not changed for long. */
function withPdf(bytes: Uint8Array) {
  const files = fixture({ "a.pdf": bytes });
  utimesSync(files.path("a.pdf"), new Date(0), new Date(0));
  return files;
}

function toolFor(bytes: Uint8Array, options: Partial<ReadToolOptions> = {}) {
  const tool = createReadTool({ projectRoot: withPdf(bytes).root, media: ["pdf"], ...options });
  return async (params: object = {}) => conformant(await tool.run({ path: "a.pdf", ...params }), "read");
}

const pagesOf = (count: number, lines: number) =>
  Array.from({ length: count }, (_, page) =>
    Array.from({ length: lines }, (_, line) => `Line ${line} of page ${page}.`),
  );

const wholeText = (pages: readonly (readonly string[])[]) =>
  pages.flatMap((lines, index) => [`--- Page ${index + 1} of ${pages.length} ---`, ...lines]);

/** The lines of an answer, without their numbers. */
const linesOf = (content: string) =>
  content
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(/^ *\d+ \| /u, ""));

/** Counts the threads that are started until the test is over. */
function startedWorkers() {
  let started = 0;
  const count = () => (started += 1);
  subscribe("worker_threads", count);
  onTestFinished(() => {
    unsubscribe("worker_threads", count);
  });
  return () => started;
}

// Rule: A PDF is read as its text, page by page, in lines like those of any file.
describe("a PDF", () => {
  it("is shown as text, in any script", async () => {
    // What is written from right to left stands in a PDF as it is seen.
    const call = toolFor(pdf([["Hello", "world"], [], ["םלוע םולש", "日本語 テキスト", "😀"]]));
    const { status, data, text, stats, context } = await call();
    expect([status, text.replace(/\d+ms/u, "Nms")]).toEqual([
      "success",
      "Read 9 lines from 'a.pdf' (Lines 1-9).\n(Took Nms)",
    ]);
    expect("content" in data && data.content).toMatchInlineSnapshot(`
      "   1 | --- Page 1 of 3 ---
         2 | Hello
         3 | world
         4 | --- Page 2 of 3 ---
         5 | (no text on this page)
         6 | --- Page 3 of 3 ---
         7 | שלום עולם
         8 | 日本語 テキスト
         9 | 😀
      "
    `);
    expect(stats).toMatchObject({ encoding: "pdf", pages: 3, total_lines: 9, lines_read: 9 });
    expect(context.truncation_skip).toBe(true);
  });

  it("has pages that together are the whole, wherever they begin", async () => {
    const pages = [...pagesOf(25, 9), ["x".repeat(3000)]];
    const whole = wholeText(pages);
    const workers = startedWorkers();
    const call = toolFor(pdf(pages), { maxPageBytes: 4096 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: whole.length }),
        fc.integer({ min: 1, max: 90 }),
        async (start, limit) => {
          const lines: string[] = [];
          let next: object | undefined = { start_line: start, limit };
          let isContinued = false;
          while (next !== undefined) {
            const { data, context }: Awaited<ReturnType<typeof call>> = await call(next);
            const [first = "", ...others] = linesOf("content" in data ? String(data.content) : "");
            lines.push(isContinued ? (lines.pop() ?? "") + first : first, ...others);
            const params: Record<string, unknown> | undefined = context.next_call?.params;
            isContinued = params?.start_column !== undefined;
            next = params;
          }
          expect(lines).toEqual(whole.slice(start - 1));
        },
      ),
      { numRuns: 25 },
    );
    expect(workers()).toBe(1);
  });

  it("is paged by hints, as any file", async () => {
    const call = toolFor(pdf(pagesOf(300, 9)));
    const first = await call({ limit: 2 });
    expect(first.text).toContain("[Truncated: Showing first 2 of 3000 lines. Use start_line=3 to continue.]");
    expect(first.context.next_call).toEqual({ tool: "Read", params: { path: "a.pdf", start_line: 3, limit: 2 } });
    const last = await call({ start_line: 2999 });
    expect(last.data).toMatchObject({ content: "2999 | Line 7 of page 299.\n3000 | Line 8 of page 299.\n" });
    expect(last.text).toContain("[End of file: 3000 lines.]");
    expect((await call({ start_line: 3001 })).error?.message).toBe(
      "start_line (3001) exceeds file length (3000 lines). Valid range: 1 to 3000.",
    );
  });

  it("is extracted again if it has changed, and if it changed a moment ago", async () => {
    const workers = startedWorkers();
    const { root, write } = withPdf(pdf([["old"]]));
    const tool = createReadTool({ projectRoot: root, media: ["pdf"] });
    await tool.run({ path: "a.pdf" });
    write({ "a.pdf": pdf([["new"]]) });
    for (const count of [2, 3]) {
      expect((await tool.run({ path: "a.pdf" })).data).toMatchObject({
        content: expect.stringContaining("| new") as string,
      });
      expect(workers()).toBe(count);
    }
  });

  it("is read on where there was no time to go on", async () => {
    const pages = pagesOf(400, 20);
    const { root } = withPdf(pdf(pages));
    const sandbox = createSandbox({ projectRoot: root });
    const path = await sandbox.resolve("a.pdf", { from: sandbox.root });
    const reader = createPdfReader(createTextReader());
    const { signal } = new AbortController();
    const seen = new Set<string>();
    for (let maxDurationMs = 20, isWhole = false; !isWhole; maxDurationMs *= 1.4) {
      const file = sandbox.open(path);
      const page = { start: { line: 1, column: 1 }, limit: 99_999, maxPageBytes: 2 ** 30, maxLineChars: 99 };
      const request = { ...page, encoding: undefined, fallbackEncodings: [], maxDurationMs };
      try {
        const read = await reader.read(file, request, { maxDurationMs, signal, warn: expect.unreachable });
        const lines = linesOf(read.page.content);
        expect(lines).toEqual(wholeText(pages).slice(0, lines.length));
        isWhole = read.page.next === undefined;
        if (isWhole) expect(lines).toHaveLength(400 * 21);
        else expect(read.page).toMatchObject({ totalLines: undefined, next: { line: lines.length + 1, column: 1 } });
        const far = { ...request, start: { line: 400 * 21 + 1, column: 1 } };
        const reason = isWhole ? "line_past_end" : "too_slow";
        if (isWhole)
          await expect(reader.read(file, far, { maxDurationMs, signal, warn: expect.unreachable })).rejects.toThrow(
            new TextError({ reason: "line_past_end", totalLines: 8400 }),
          );
        seen.add(reason);
      } catch (error) {
        expect(error).toMatchObject({
          code: "TIMEOUT",
          message: `Read timed out (>${maxDurationMs / 1000}s) before line 1.`,
        });
      } finally {
        file.close();
      }
    }
    expect(seen).toContain("line_past_end");
  });

  it("does not know its bytes: what Read has shown of it is not what was read", async () => {
    const call = toolFor(pdf([["a"]]));
    await call();
    expect((await call()).data).not.toHaveProperty("modified_externally");
  });

  it.each([[[]], [["image"]]] as const)("is binary where the host has not asked for it", async (media) => {
    const { error, text } = await toolFor(pdf([["a"]]), { media })();
    expect(error?.code).toBe("BINARY_FILE");
    expect(text).toBe("File 'a.pdf' appears to be binary. It is a PDF document.");
  });
});

const twice = (data: Buffer) => deflateSync(deflateSync(data));
const CATALOG = "<< /Type /Catalog /Pages << /Type /Pages /Kids [] /Count 0 >> >>";
const BOMB = twice(Buffer.alloc(2 ** 28, " "));
const LOCKED = `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${"00".repeat(32)}> /U <${"11".repeat(32)}> >>`;

// Rule: No PDF, however it is made, takes more than its time and memory, and it reaches nothing outside it.
describe("a hostile PDF", () => {
  it.each<[string, Buffer, string]>([
    ["rubbish", Buffer.from("%PDF-1.7\nrubbish"), "broken"],
    ["half a file", pdf(pagesOf(9, 9)).subarray(0, 900), "broken"],
    ["encrypted", pdf([["a"]], { trailer: LOCKED }), "encrypted"],
    ["without pages", pdf([]), "without pages"],
    ["objects in themselves", compressedPdf(CATALOG, twice, true), "without pages"],
    [
      "a bomb",
      pdf([["a"]], { content: stream(BOMB, "/Filter [/FlateDecode /FlateDecode]") }),
      "too large to read (it needs too much memory)",
    ],
  ])("is binary: %s", async (_, bytes, reason) => {
    const call = toolFor(bytes);
    const turns = await turnsDuring(async () => {
      const { error, text } = await call();
      expect(error?.code).toBe("BINARY_FILE");
      expect(text).toBe(`File 'a.pdf' appears to be binary. It is a PDF document, but ${reason}.`);
    });
    expect(turns).toBeGreaterThan(10);
  });

  it.each<[string, Buffer, string]>([
    [
      "pages that are their own parents",
      pdf([["a"]], { tree: "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>" }),
      "(this page cannot be read)",
    ],
    [
      "a table that is not where it is said to be",
      Buffer.from(
        pdf([["a"]])
          .toString("latin1")
          .replace(/startxref\n\d+/u, "startxref\n7"),
        "latin1",
      ),
      "| a",
    ],
    [
      "a picture in itself",
      pdf([["a"]], {
        resources: "/XObject << /X 5 0 R >>",
        objects: [
          stream("/X Do", "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>"),
        ],
        content: stream("/X Do"),
      }),
      "(no text on this page)",
    ],
  ])("is shown as far as it can be: %s", async (_, bytes, shown) => {
    expect((await toolFor(bytes)()).data).toMatchObject({ content: expect.stringContaining(shown) as string });
  });

  it("is given up when its time is over", async () => {
    const call = toolFor(
      compressedPdf(CATALOG, () => BOMB, false),
      { maxDurationMs: 1500 },
    );
    const { error, text } = await call();
    expect(error).toEqual({ code: "TIMEOUT", message: "Read timed out (>1.5s) before line 1." });
    expect(text).toContain("The first page of this PDF document takes too long to read.");
  });

  it("is refused if it is larger than 64 MiB, before it is read", async () => {
    const { text } = await toolFor(Buffer.concat([pdf([["a"]]), Buffer.alloc(2 ** 26)]))();
    expect(text).toContain("but too large to read (over 67108864 bytes).");
  });

  it("runs nothing and asks for nothing", async () => {
    let requests = 0;
    const url = await serveOnLoopback((_, response) => {
      requests += 1;
      response.end();
    });
    const catalog = `/OpenAction << /S /JavaScript /JS (app.launchURL\\("${url}"\\); fetch\\("${url}"\\)) >> /AA << /WC << /S /URI /URI (${url}) >> >>`;
    const external = stream("", `/F << /FS /URL /F (${url}) >>`);
    const { data } = await toolFor(pdf([["a"]], { catalog, objects: [external] }))();
    expect(data).toMatchObject({ content: "   1 | --- Page 1 of 1 ---\n   2 | a\n" });
    expect(requests).toBe(0);
  });
});

function isRead(module: unknown): module is typeof import("../../src/index.ts") {
  return typeof module === "object" && module !== null && "createReadTool" in module;
}

// Rule: Without the optional packages, or the worker's file, everything else works, and the host is told.
describe("what is missing", () => {
  const installed = () => {
    const { root, path, write } = fixture({ node_modules: { "@fstools": {} } });
    cpSync(new URL("../../src", import.meta.url), path("src"), { recursive: true });
    for (const name of ["protocol", "sandbox", "text"]) {
      symlinkSync(new URL(`../../../${name}`, import.meta.url), path("node_modules", "@fstools", name));
    }
    return { root, path, write };
  };

  it.each([
    ["a package", false, "the optional package"],
    ["the worker", true, "its file media/worker.js"],
  ])("is told to the host, once: %s", async (_, isFile, what) => {
    const { root, path, write } = installed();
    if (isFile) rmSync(path("src", "media", "worker.js"));
    const { png } = await import("./pictures.ts");
    write({ "a.pdf": pdf([["a"]]), "wide.png": png(3000, 2), "a.png": png(3, 2), "a.txt": "text\n" });
    const module: unknown = await import(pathToFileURL(path("src", "index.ts")).href);
    if (!isRead(module)) throw new Error("not Read");
    const warnings: string[] = [];
    const onWarning = (message: string, { tool }: { tool: string }) => warnings.push(`${tool}: ${message}`);
    const tool = module.createReadTool({ projectRoot: root, media: ["image", "pdf"], onWarning });
    const codes = [];
    for (const name of ["a.pdf", "a.pdf", "wide.png", "a.png", "a.txt"]) {
      const { status, error } = await tool.run({ path: name });
      codes.push(error?.code ?? status);
    }
    expect(codes).toEqual(["BINARY_FILE", "BINARY_FILE", "INVALID_PARAM", "success", "success"]);
    expect(warnings).toEqual(
      isFile
        ? [`Read: Read cannot show the text of PDF files, since ${what} is missing.`]
        : [
            `Read: Read cannot show the text of PDF files, since ${what} unpdf is missing.`,
            `Read: Read cannot make large pictures smaller, since ${what} @silvia-odwyer/photon-node is missing.`,
          ],
    );
  });
});
