import { expect, it } from "vitest";
import * as sandbox from "../src/index.ts";

it("exports exactly what the package promises", () => {
  expect(Object.keys(sandbox).sort()).toEqual([
    "CONTEXT_LINES",
    "GLOB_IGNORED_NAMES",
    "LS_IGNORED_NAMES",
    "SECRET_FILES",
    "SandboxError",
    "compareWalkOrder",
    "compileWildcard",
    "conflict",
    "createDeadline",
    "createDiff",
    "createFileChanger",
    "createFileVersions",
    "createOutputStore",
    "createPacer",
    "createPosition",
    "createRecentMap",
    "createSandbox",
    "createSearchedTest",
    "explainPathErrors",
    "isSameVersion",
    "matchesPath",
    "normalizePattern",
    "parsePattern",
    "remaindersAt",
    "sandboxOf",
    "selectFirst",
    "spelledPath",
    "walkFiles",
  ]);
});
