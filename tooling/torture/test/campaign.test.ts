import { describe, expect, it } from "vitest";
import { attacks, background } from "../src/attacks/index.ts";
import { SECONDS, wage } from "../src/campaign.ts";

// A short version of `pnpm torture`. The seed is fixed, so that a failure can be repeated.
describe("a short campaign", () => {
  it.each([...attacks, background])(
    "$name finds no violation",
    async ({ name, minimum }) => {
      const campaign = { seed: "ci", seconds: SECONDS.short, extent: "short", only: [name] } as const;
      const [finding, ...others] = await wage(campaign);
      expect(others).toEqual([]);
      expect(finding?.summary.violations).toEqual([]);
      const { attempts = 0, notes } = finding?.summary ?? {};
      expect(notes?.skipped === undefined ? attempts : Infinity).toBeGreaterThanOrEqual(minimum.short);
    },
    300_000,
  );
});
