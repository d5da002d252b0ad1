import { expect, it } from "vitest";
import { checkResponse } from "../../src/index.ts";
import { ENVELOPES } from "../samples.ts";

const { truncated } = ENVELOPES;
const { data } = truncated;

function withData(change: object): object {
  return { ...truncated, data: { ...data, ...change } };
}

function withTruncation(change: object): object {
  return withData({ truncation: { ...data.truncation, ...change } });
}

it.each<[string, object, string]>([
  ["no preview", withData({ preview: undefined }), "error truncation/shape /data/preview"],
  ["more data", withData({ paths_left: 5 }), "error truncation/shape /data"],
  ["another direction", withTruncation({ direction: "middle" }), "error truncation/shape /data/truncation/direction"],
  ["a missing count", withTruncation({ kept_lines: undefined }), "error truncation/shape /data/truncation/kept_lines"],
  [
    "an absolute full_output_path",
    withTruncation({ full_output_path: "/tmp/x.json" }),
    "error truncation/shape /data/truncation/full_output_path",
  ],
  ["wrong kept_lines", withTruncation({ kept_lines: 1 }), "error truncation/counts /data/truncation"],
  ["wrong kept_bytes", withTruncation({ kept_bytes: 24 }), "error truncation/counts /data/truncation"],
  ["more lines than the limit", withTruncation({ max_lines: 1 }), "error truncation/limits /data/truncation"],
  ["more bytes than the limit", withTruncation({ max_bytes: 22 }), "error truncation/limits /data/truncation"],
  ["more lines than there were", withTruncation({ original_lines: 1 }), "error truncation/limits /data/truncation"],
  ["more bytes than there were", withTruncation({ original_bytes: 22 }), "error truncation/limits /data/truncation"],
  ["another text", { ...truncated, text: "The result was truncated." }, "error truncation/text /text"],
])("reports %s", (_, value, expected) => {
  const found = checkResponse(value).map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
  expect(found).toEqual([expected]);
});
