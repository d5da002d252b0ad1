import { afterEach, expect, test, vi } from "vitest";
import { rivalFolder, RIVALS, rivalsFolder } from "../src/rivals/list.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("rivals are pinned, each once", () => {
  expect(new Set(RIVALS.map(({ id }) => id)).size).toBe(RIVALS.length);
  for (const { version } of RIVALS) expect(version).toMatch(/^\d+\.\d+\.\d+$/u);
});

test("the cache of the user holds them, or the folder that FSTOOLS_RIVALS names", () => {
  vi.stubEnv("XDG_CACHE_HOME", "/cache");
  vi.stubEnv("FSTOOLS_RIVALS", undefined);
  expect(rivalsFolder()).toBe("/cache/fstools/rivals");
  vi.stubEnv("FSTOOLS_RIVALS", "/elsewhere");
  expect(RIVALS.map(rivalFolder)[0]).toBe("/elsewhere/mcp-2026.8.31");
});
