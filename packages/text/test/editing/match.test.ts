import { expect, it } from "vitest";
import { findMatches, isMatch, splice } from "../../src/index.ts";
import { editable } from "./support.ts";

const STEPS = 100 * 1024;

it("lets other work have its turn for each thousand places that are replaced", async () => {
  let turns = 0;
  const busy = { due: () => true, rest: () => Promise.resolve(void (turns += 1)) };
  const text = await editable("ab".repeat(STEPS));
  const [found] = await findMatches(text, [{ oldText: "a", newText: "c", isForAll: true }], busy);
  // Once to find them, and once to tell what takes their place.
  expect(turns).toBeGreaterThanOrEqual(200);
  if (found === undefined || !isMatch(found)) throw new Error("It is there.");
  turns = 0;
  await splice(text, found.replacements, 1e9, busy);
  expect(turns).toBeGreaterThanOrEqual(300);
});
