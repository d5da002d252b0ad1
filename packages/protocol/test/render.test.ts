import { expect, it } from "vitest";
import { renderForModel } from "../src/index.ts";
import { ENVELOPES } from "./samples.ts";

const { failure, glob, globBreaker, ls, read, truncated, truncatedFailure } = ENVELOPES;

it.each([
  ["LS and Glob: the text holds everything", ls, ls.text],
  ["Glob", glob, glob.text],
  ["a breaker", globBreaker, globBreaker.text],
  ["a read: its content below the text", read, `${read.text}\n\n${read.data.content}`],
  ["an empty file: the text alone", { ...read, data: { content: "", truncated: false } }, read.text],
  ["an error", failure, failure.text],
  ["a truncator's product: its preview", truncated, `${truncated.text}\n\n${truncated.data.preview}`],
  ["a truncated error", truncatedFailure, `${truncatedFailure.text}\n\n界`],
])("renders %s", (_, response, rendered) => {
  expect(renderForModel(response)).toBe(rendered);
});
