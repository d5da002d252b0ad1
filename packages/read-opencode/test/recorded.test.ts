import { Buffer } from "node:buffer";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "@fstools/protocol";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";

import { createOpencodeReadTool } from "../src/index.ts";

const recordedSchema = z.object({
  files: z.record(
    z.string(),
    z.union([z.string(), z.object({ base64: z.string() }), z.object({ numbered: z.number() })]),
  ),
  links: z.record(z.string(), z.string()),
  calls: z.array(
    z.object({
      params: z.looseObject({ filePath: z.string() }),
      result: z.unknown().optional(),
      message: z.string().optional(),
    }),
  ),
});

// Calls of the real opencode 1.18.33: `opencode debug agent build --tool read --params {…}`.
const recorded = recordedSchema.parse(
  JSON.parse(readFileSync(new URL("recorded/opencode-1.18.33.json", import.meta.url), "utf8")),
);

function contentOf(file: (typeof recorded.files)[string]): string | Buffer {
  if (typeof file === "string") return file;
  if ("base64" in file) return Buffer.from(file.base64, "base64");
  return Array.from({ length: file.numbered }, (_, index) => `line ${index + 1}\n`).join("");
}

function recordedProject() {
  const project = fixture();
  for (const [name, file] of Object.entries(recorded.files)) {
    const path = project.path(name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, contentOf(file));
  }
  for (const [name, target] of Object.entries(recorded.links)) symlinkSync(target, project.path(name));
  return project;
}

describe("what the real opencode answered", () => {
  it("is answered the same, byte for byte", async () => {
    const { root } = recordedProject();
    const tool = createOpencodeReadTool({ projectRoot: root, version: "1.18", attachments: true });
    expect(recorded.calls.length).toBeGreaterThan(100);
    for (const { params, result, message } of recorded.calls) {
      const call = { ...params, filePath: `${root}/${params.filePath}` };
      const answer = await tool.execute(call).then(
        (answered) => ({ ...answered, title: undefined }),
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      const expected = JSON.parse(JSON.stringify(result ?? message).replaceAll("{root}", root)) as unknown;
      expect({ params, answer }).toEqual({ params, answer: expected });
    }
  });
});
