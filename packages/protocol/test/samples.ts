import { z } from "zod";
import { defineTool, type Outcome, type Tool, type ToolCall, type ToolSpec } from "../src/index.ts";

const LIMIT = "limit must be an integer between 1 and 200.";

const input = z.strictObject({
  path: z.string({ error: "path must be a string." }).default(".").describe("Directory to list."),
  pattern: z.string({ error: "pattern must be a string." }).describe("What to look for."),
  start_line: z.int({ error: "start_line must be a positive integer (>= 1)." }).default(1),
  limit: z.int({ error: LIMIT }).min(1, LIMIT).max(200, LIMIT).default(100).describe("Max items (1-200)."),
  include_hidden: z.boolean({ error: "include_hidden must be a boolean." }).default(false),
  ignore: z
    .array(z.string({ error: "ignore must be a list of glob patterns." }), {
      error: "ignore must be a list of glob patterns.",
    })
    .nullable()
    .default(null),
});

/** The schema of the tool that the tests call. */
type SampleSchema = typeof input;
export type SampleInput = z.output<SampleSchema>;

type Run = (input: SampleInput, call: ToolCall) => Promise<Outcome<{ paths: string[] }>>;
type Rest = Partial<Omit<ToolSpec<SampleSchema, { paths: string[] }>, "run">>;

/** A tool with one parameter of each kind, whose work the test provides. */
export function sampleTool(
  run: Run = found,
  rest: Rest = {},
): Tool<SampleInput, { paths: string[] }, z.input<SampleSchema>> {
  return defineTool({
    name: "Find",
    description: "Finds things.",
    input,
    aliases: { offset: "start_line", glob: "pattern", file_path: "path", nothing: "no_such_parameter" },
    notParameters: { end_line: "Pass limit=… instead." },
    cwd: ".",
    ...rest,
    run,
  });
}

/** An outcome without any discount. */
export function found(): Promise<Outcome<{ paths: string[] }>> {
  return Promise.resolve({ data: { paths: ["a.ts"] }, summary: () => ["Found 1 file."] });
}

/** Correct envelopes, one of each kind that a tool, the truncator or a tool of others may answer with. */
export const ENVELOPES = {
  ls: {
    status: "partial",
    data: {
      entries: [
        { path: "src", type: "dir" },
        { path: "README.md", type: "file" },
      ],
      truncated: true,
    },
    text: "Listed 2 entries in '.'\n(Total: 120 items - 5 dirs, 112 files, 3 links)\n[Truncated: Showing 0-2 of 120. 118 more items available.]\nUse offset=2 to view next page.\n\nsrc/\nREADME.md",
    stats: { time_ms: 4, total_entries: 120, returned: 2 },
    context: { cwd: ".", params_input: { path: ".", limit: 2 }, path_resolved: "." },
  },
  lsWithSlash: {
    status: "success",
    data: { entries: [{ path: "src/utils/", type: "dir" }], truncated: false },
    text: "Listed 1 entries in 'src'",
    stats: { time_ms: 0 },
    context: { cwd: "packages/app", params_input: {}, path_resolved: "src" },
  },
  glob: {
    status: "partial",
    data: { paths: ["src/main.py", "app/[...slug]/..name.ts"], truncated: false, aborted_reason: "time_limit" },
    text: "Found 2 files matching '**/*.py' in 'src'\n(Scanned 12000 items in 2010ms)\n[Partial: Search timed out (>2s). Results are incomplete.]\n\nsrc/main.py",
    stats: { time_ms: 2010, matched: 2, visited: 12000 },
    context: { cwd: ".", params_input: { pattern: "**/*.py" }, path_resolved: "src", pattern_normalized: "**/*.py" },
  },
  globSkipped: {
    status: "partial",
    data: { paths: ["a"], truncated: false },
    text: "Found 1 files matching '*' in '.'\n(Scanned 2 items in 1ms)\n[Partial: 1 directory could not be read.  Use a readable 'path'.]\n\na",
    stats: { time_ms: 1, skipped: 1 },
    context: { cwd: ".", params_input: { pattern: "*" } },
  },
  globBreaker: {
    status: "error",
    data: { paths: [], truncated: false, aborted_reason: "count_limit" },
    text: "No files found matching '*.zig' in '.'\n(Scanned 20000 items in 90ms)\n[Error: Search aborted (scanned too many items without results). Use a more specific 'path' or 'pattern'.]",
    error: { code: "INTERNAL_ERROR", message: "Search aborted (scanned too many items without results)." },
    stats: { time_ms: 90, visited: 20000, matched: 0 },
    context: { cwd: ".", params_input: { pattern: "*.zig" }, path_resolved: "." },
  },
  grep: {
    status: "partial",
    data: { matches: [{ file: "src/a.py", line: 3, text: "class A:" }], fallback: "python" },
    text: "Found 1 match. ripgrep not available, used slower Python search instead.",
    stats: { time_ms: 12 },
    context: { cwd: ".", params_input: { pattern: "class" } },
  },
  read: {
    status: "success",
    data: { content: "   1 | \u001b[31mred\n", truncated: false },
    text: "Read 1 lines from 'a.txt' (Lines 1-1).\n(Took 1ms)",
    stats: { time_ms: 1, encoding: "utf-8" },
    context: { cwd: ".", params_input: { path: "a.txt" }, path_resolved: "a.txt", truncation_skip: true },
  },
  readReplaced: {
    status: "partial",
    data: { content: "   1 | \ufffd\n", truncated: false, fallback_encoding: "replace" },
    text: "Read 1 lines from 'a.txt' (Lines 1-1).\n(Took 1ms)\n[Warning: Not valid UTF-8; bad bytes shown as U+FFFD. Pass encoding=… if you know it.]",
    stats: { time_ms: 1, encoding: "utf-8 (replace)" },
    context: { cwd: ".", params_input: { path: "a.txt" }, path_resolved: "a.txt", truncation_skip: true },
  },
  edit: {
    status: "success",
    data: { applied: true },
    text: "Replaced 1 occurrence in 'a.txt'.",
    stats: { time_ms: 3 },
    context: { cwd: ".", params_input: { path: "a.txt" } },
  },
  dryRun: {
    status: "partial",
    data: { applied: false, diff: "-a\n+b" },
    text: "Dry-run only, no actual write performed.",
    stats: { time_ms: 3 },
    context: { cwd: ".", params_input: { path: "a.txt", dry_run: true } },
  },
  batch: {
    status: "partial",
    data: { failed_items: ["secret.txt"], results: [1, 2, 3] },
    text: "3 files processed, 1 failed due to permission error.",
    stats: { time_ms: 3 },
    context: { cwd: ".", params_input: {} },
  },
  failure: {
    status: "error",
    data: {},
    text: "File 'src/main.py' does not exist. Check the path, or run LS on 'src' to see what is there.",
    error: { code: "NOT_FOUND", message: "File 'src/main.py' does not exist." },
    stats: { time_ms: 1 },
    context: { cwd: ".", params_input: { path: "src/main.py" } },
  },
  truncated: {
    status: "partial",
    data: {
      truncated: true,
      truncation: {
        direction: "head",
        max_lines: 2,
        max_bytes: 100,
        original_lines: 5234,
        original_bytes: 182345,
        kept_lines: 2,
        kept_bytes: 23,
        full_output_path: "tool-output/tool_20261116_190000_Glob.json",
      },
      preview: '{\n  "status": "success"',
    },
    text: "⚠️ 输出过大已截断. The output of Glob is 5234 lines.",
    stats: { time_ms: 3 },
    context: { cwd: ".", params_input: { truncated: true, bytes: 9000 } },
  },
  truncatedFailure: {
    status: "error",
    data: {
      truncated: true,
      truncation: {
        direction: "tail",
        max_lines: 10,
        max_bytes: 5,
        original_lines: 1,
        original_bytes: 60000,
        kept_lines: 1,
        kept_bytes: 3,
      },
      preview: "界",
    },
    text: "⚠️ 输出过大已截断. The output of X is 60000 bytes.",
    error: { code: "EXECUTION_ERROR", message: "Disk full." },
    stats: { time_ms: 3 },
    context: { cwd: ".", params_input: {} },
  },
} as const;

/** The category that a correct envelope belongs to. */
export const CATEGORY_OF = {
  ls: "ls",
  lsWithSlash: "ls",
  glob: "glob",
  globSkipped: "glob",
  globBreaker: "glob",
  grep: "grep",
  read: "read",
  readReplaced: "read",
  edit: "edit",
  dryRun: "edit",
} as const;
