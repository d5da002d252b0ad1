import { z } from "@fstools/protocol";
import { expect, it } from "vitest";
import { changeParams, HOST_PARAMS } from "../../src/write/change-params.ts";

const schema = z.strictObject(changeParams());

it.each([
  [{ dry_run: "x" }, "dry_run must be a boolean."],
  [{ expected_mtime_ms: 1.5 }, "expected_mtime_ms must be a whole number."],
  [{ expected_size_bytes: -1 }, "expected_size_bytes must be a whole number."],
])("%j: %s", (params, message) => {
  expect(z.safeParse(schema, params).error?.issues[0]?.message).toBe(message);
});

it("changes the file unless told otherwise, and keeps the version for hosts", () => {
  expect(z.safeParse(schema, {}).data).toEqual({ dry_run: false });
  expect(Object.keys(schema.shape).filter((name) => HOST_PARAMS.some((host) => host === name))).toEqual([
    ...HOST_PARAMS,
  ]);
});
