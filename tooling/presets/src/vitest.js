// @ts-check
import { defineConfig } from "vitest/config";

// Tests run from the sources of every workspace package, never from `dist`.
/** @param {import("vitest/config").ViteUserConfig["test"]} [test] settings of one package */
export function nodeProject(test = {}) {
  return defineConfig({
    ssr: { resolve: { conditions: ["@fstools/source", "node", "development|production"] } },
    test: {
      include: ["test/**/*.test.{ts,tsx}"],
      // Processes, not threads: tests that drop root's privileges need `seteuid`.
      pool: "forks",
      // One process for all files of a package: a process for each doubled the processor time. Tests undo what they change.
      isolate: false,
      testTimeout: 30_000,
      hookTimeout: 30_000,
      ...test,
    },
  });
}
