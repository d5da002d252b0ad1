import type { ToolResponse } from "@fstools/protocol";
import { z } from "zod";

/** Any tool's answer, whatever its data. */
export type Envelope = ToolResponse<object>;

/** Parameters of a tool call, as JSON holds them. */
export type Params = Readonly<Record<string, unknown>>;

/** Tells an envelope from anything else. Whether it keeps every rule is for `checkResponse` to say, and to show. */
export const envelopeSchema = z.custom<Envelope>(
  (value) => typeof value === "object" && value !== null && "status" in value && "data" in value && "text" in value,
  "This is not an envelope.",
);

const match = z.object({
  file: z.string(),
  line: z.number(),
  text: z.string().default(""),
  /** Of a line that is too long to be shown whole. */
  column: z.number().optional(),
  count: z.number().default(1),
  before: z.array(z.string()).default([]),
  after: z.array(z.string()).default([]),
});

/** What answers of all tools show; what one has nothing of is empty. */
export const shownSchema = z.object({
  entries: z.array(z.object({ path: z.string(), type: z.string() })).default([]),
  paths: z.array(z.string()).default([]),
  matches: z.array(match).default([]),
  content: z.string().default(""),
  diff_preview: z.string().default(""),
  media: z
    .object({ mime_type: z.string(), data: z.string(), width: z.number().optional(), height: z.number().optional() })
    .optional(),
});

/** A line that Grep found. */
export type Match = z.output<typeof match>;

/** The lines of Read's content, with their numbers where it has them. */
export const linesOf = (content: string) =>
  content
    .replace(/\n$/u, "")
    .split("\n")
    .map((row) => {
      const [, line, text = row] = /^ *(\d+)(?: \| |: )(.*)$/su.exec(row) ?? [];
      return { line, text };
    });
