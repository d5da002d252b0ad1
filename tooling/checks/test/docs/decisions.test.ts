import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { decisionsPage } from "../../src/docs/decisions.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

it("docs/decisions/README.md lists every page; run `pnpm docs:write` if it does not", () => {
  expect(readFileSync(`${root}docs/decisions/README.md`, "utf8")).toBe(decisionsPage(root));
});
