import { describe, expect, it } from "vitest";
import { attacks, background } from "../src/attacks/index.ts";
import { SHORT, wage } from "../src/campaign.ts";

// A short version of `pnpm torture`. The seed is fixed, so that a failure can be repeated.
describe("a short campaign", () => {
  it.each([...attacks, background].map(({ name }) => name))(
    "%s finds no violation",
    async (name) => {
      const [finding, ...others] = await wage({ seed: "ci", ...SHORT, only: [name], onProgress: () => undefined });
      expect(others).toEqual([]);
      expect(finding?.summary.violations).toEqual([]);
      expect(finding?.summary.attempts).toBeGreaterThan(3);
    },
    300_000,
  );
});
