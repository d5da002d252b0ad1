// @ts-check
import { defineConfig } from "vitest/config";

// `pnpm test` builds all packages first: each is then tested with the others as they are published, which load faster.
const conditions = process.env["FSTOOLS_BUILT"] === undefined ? ["@fstools/source"] : [];

/** @param {import("vitest/config").ViteUserConfig["test"]} [test] settings of one package */
export function nodeProject(test = {}) {
  return defineConfig({
    ssr: { resolve: { conditions: [...conditions, "node", "development|production"] } },
    test: {
      include: ["test/**/*.test.{ts,tsx}"],
      server: { deps: { external: [/\/packages\/[^/]+\/dist\//u] } },
      // Processes, not threads: tests that drop root's privileges need `seteuid`.
      pool: "forks",
      // One process for all files: a process for each doubled the processor time. Tests undo what they change.
      isolate: false,
      testTimeout: 30_000,
      hookTimeout: 30_000,
      ...test,
    },
  });
}
