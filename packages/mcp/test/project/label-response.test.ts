import { conformant } from "@fstools/testing";
import type { ToolResponse } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { labelResponse, type LabelledCall } from "../../src/project/label-response.ts";

const CALL: LabelledCall = {
  label: "app",
  passed: "src",
  given: "app/src",
  replaced: { key: "path", value: "app/src" },
  note: undefined,
};

function page(text: string, data: object, context = {}): ToolResponse<object> {
  const base = { cwd: ".", params_input: { path: "src", limit: 1 }, path_resolved: "src" };
  return { status: "partial", data, text, stats: { time_ms: 1 }, context: { ...base, ...context } };
}

describe("labelResponse", () => {
  it("labels a page and the call for the next one", () => {
    const text = "Listed 1 entries in 'src'\n[Truncated: 1 of 2.]\nUse offset=1 to view next page.\n\nsrc/path";
    const data = { entries: [{ path: "src/path", type: "file" }], truncated: true };
    const next = { tool: "LS", params: { path: "src", offset: 1, limit: 1 } };
    expect(conformant(labelResponse(page(text, data, { next_call: next }), CALL))).toEqual({
      status: "partial",
      data: { entries: [{ path: "app/src/path", type: "file" }], truncated: true },
      text: text.replace("'src'", "'app/src'").replace("\n\nsrc", "\n\napp/src"),
      stats: { time_ms: 1 },
      context: {
        cwd: "app",
        params_input: { path: "app/src", limit: 1 },
        path_resolved: "app/src",
        next_call: { tool: "LS", params: { path: "app/src", offset: 1, limit: 1 } },
      },
    });
  });

  it("names the root in the next call of a call without a path", () => {
    const call = { ...CALL, passed: undefined, given: undefined, replaced: undefined };
    const next = { tool: "LS", params: { offset: 1 } };
    const labelled = labelResponse(page("Listed.\n[Truncated: more.]", {}, { next_call: next }), call);
    expect(labelled.context.next_call).toEqual({ tool: "LS", params: { path: "app", offset: 1 } });
  });

  it("leaves a pattern alone that reads like the path, and the names of parameters", () => {
    const text = "Found 1 files matching 'src' in 'src'\n[Truncated: More. Narrow 'pattern' or 'path'.]\n\nsrc/a";
    const labelled = labelResponse(page(text, { paths: ["src/a"] }), CALL);
    expect(labelled.text).toBe(
      "Found 1 files matching 'src' in 'app/src'\n[Truncated: More. Narrow 'pattern' or 'path'.]\n\napp/src/a",
    );
  });

  it("labels the files of a search in files, not the lines below them", () => {
    const text = "Found 1 matches in 1 files for 'x' in 'src'\n\nsrc/a.ts\n  3: src/a.ts is 'src'";
    const data = { matches: [{ file: "src/a.ts", line: 3, text: "src/a.ts is 'src'" }], truncated: false };
    const labelled = labelResponse(page(text, data), CALL);
    expect(labelled.text).toBe(text.replace("in 'src'", "in 'app/src'").replace("\n\nsrc/", "\n\napp/src/"));
    expect(labelled.data).toMatchObject({ matches: [{ file: "app/src/a.ts", text: "src/a.ts is 'src'" }] });
  });

  it("labels the lines that are about paths alone, and the head of a diff", () => {
    const diff = "--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n--- a/not this\n+++ b/nor this\n";
    const text =
      "Updated 'src'\n(Created directory: new/deep)\n[Partial: Skipped 1 directory: 'src/private' (denied). Go on.]";
    const labelled = labelResponse(page(text, { applied: true, diff_preview: diff }), CALL);
    expect(labelled.text).toBe(
      "Updated 'app/src'\n(Created directory: app/new/deep)\n[Partial: Skipped 1 directory: 'app/src/private' (denied). Go on.]",
    );
    expect(labelled.data).toMatchObject({
      diff_preview: "--- a/app/src/x.ts\n+++ b/app/src/x.ts\n@@ -1 +1 @@\n--- a/not this\n+++ b/nor this\n",
    });
    const planned = labelResponse(page("Would create 'src'\n(Would create directory: new)", { applied: false }), CALL);
    expect(planned.text).toBe("Would create 'app/src'\n(Would create directory: app/new)");
    const fresh = labelResponse(page("x", { diff_preview: "--- /dev/null\n+++ b/x\n" }), CALL);
    expect(fresh.data).toMatchObject({ diff_preview: "--- /dev/null\n+++ b/app/x\n" });
    const odd = labelResponse(page("x\n(Created directory: y)", { diff_preview: "--- /dev/null\n+++ b/x\n" }), {
      ...CALL,
      label: "a\nb",
    });
    expect(odd).toMatchObject({
      text: "x\n(Created directory: a\\nb/y)",
      data: { diff_preview: "--- /dev/null\n+++ b/a\\nb/x\n" },
    });
  });

  it("puts the note in front of the body", () => {
    const labelled = labelResponse(page("Listed.\n\na", { entries: [{ path: "a", type: "file" }] }), {
      ...CALL,
      note: "Note: here.",
    });
    expect(labelled.text).toBe("Listed.\nNote: here.\n\napp/a");
  });
});
