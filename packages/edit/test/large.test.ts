import { turnsDuring } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { edited } from "./support.ts";

const lines = (count: number, end = "\n") =>
  Array.from({ length: count }, (_, index) => `line ${index} of a large file${end}`).join("");

describe("a large file", () => {
  it("is edited in hundreds of thousands of places", { timeout: 60_000 }, async () => {
    const { response, text } = await edited("a,b\n".repeat(300_000), {
      old_string: ",",
      new_string: ";",
      replace_all: true,
    });
    expect(response.data).toMatchObject({ applied: true, replacements: 300_000, diff_truncated: true });
    expect(text === "a;b\n".repeat(300_000)).toBe(true);
    expect(response.text.length).toBeLessThan(5000);
  });

  it("is not edited in more places than memory should hold", { timeout: 60_000 }, async () => {
    const { response } = await edited("a".repeat(1_000_001), { old_string: "a", new_string: "b", replace_all: true });
    expect(response.error).toEqual({
      code: "INVALID_PARAM",
      message: "old_string occurs 1000001 times in 'a.txt', which is too many to replace at once.",
    });
  });

  it("counts every place where there should be one, and lists ten", { timeout: 60_000 }, async () => {
    const { response } = await edited("a \n".repeat(200_000), { old_string: "a", new_string: "b" });
    expect(response.error?.message).toBe(
      "old_string must be unique, but it occurs 200000 times in 'a.txt' (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …).",
    );
    const alike = await edited("a b \n".repeat(100_000), { old_string: "a b\n", new_string: "c\n" });
    expect(alike.response.error?.message).toContain("it occurs 100000 times");
  });

  it.each([
    ["with one kind of line end", lines(200_000), { old_string: "line 150000 of", new_string: "x" }],
    ["with \\r\\n", lines(200_000, "\r\n"), { old_string: "line 150000 of a large file\n", new_string: "x\n" }],
    ["in which the text is not found", lines(200_000), { old_string: "line 150000  of a large file", new_string: "x" }],
    ["in another encoding", lines(100_000), { old_string: "line 50000 of", new_string: "x", encoding: "gb18030" }],
  ])("%s is looked at in turns", { timeout: 60_000 }, async (_, content, params) => {
    let status: string | undefined;
    const turns = await turnsDuring(async () => {
      const { response } = await edited(content, params);
      ({ status } = response);
    });
    expect(status).toBe(params.old_string.includes("  ") ? "error" : "success");
    expect(turns).toBeGreaterThan(1);
  });
});
