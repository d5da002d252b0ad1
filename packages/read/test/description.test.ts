import { expect, it } from "vitest";
import { READ_DESCRIPTION } from "../src/description.ts";

it("begins with what Read is, and says nothing that a model does not see", () => {
  expect(READ_DESCRIPTION).toMatch(
    /^Reads a file from the local filesystem with line numbers\. Optimized for code editing\.\n/u,
  );
  expect(READ_DESCRIPTION).not.toMatch(/status|stats|envelope/u);
});
